// The calls that are played: about 100 commands, of all kinds that matter to a client's own
// decisions and to envwrap. {out} is a directory outside of the project.
const list = (kind, commands) => commands.map(command => typeof command === "string" ? {kind, command} : {kind, ...command});

export const calls = [
  ...list("allowed", [
    "echo hi", "pwd", "printf abc", "true", "ls", "ls -l src | wc -l", "cat src/a.txt", "echo 'it'\"'\"'s' \"quoted $HOME\" | wc -w", "wc -l src/a.txt",
    "echo é ü 漢字", "printf 'a\\tb\\n'", "seq 3", "date +%Y >/dev/null && echo dated", "echo $((1+2))", "test -f src/a.txt && echo there",
    "cat <<'X'\nheredoc $HOME\nX", "for i in 1 2 3; do echo $i; done", "X=1; echo $X", "echo a; echo b >&2; echo c", "python3 -c 'print(6*7)'",
  ]),
  ...list("failing", [
    "ls nosuch", "false", "exit 7", "grep zzz src/a.txt", "diff src/a.txt src/b.txt", "nosuchprogram --x", "python3 -c 'raise ValueError(\"why\")'",
    "make", "git status", "cat src/nosuch.txt; echo after", "test -f nosuch", "kill -9 $$", "sh -c 'exit 200'", "python3 nosuch.py", "bash -c 'exit 3'",
  ]),
  ...list("pipeline", [
    "make 2>&1 | tail -5", "false | tail -1", "cat nosuch | sort", "seq 100 | head -3", "ls | grep zzz", "python3 -c 'import sys; sys.exit(3)' | cat",
    "set -o pipefail; false | cat", "seq 5 | grep 3 | wc -l", "yes | head -2", "cat src/a.txt | python3 -c 'import sys; print(len(sys.stdin.read()))'",
  ]),
  ...list("list", [
    "cd src && ls", "mkdir -p made/deep && echo x > made/deep/f", "echo one > made/one; cat made/one", "true && echo yes || echo no", "false || echo no",
    "cd src; pwd", "(cd src && touch touched)", "echo x >> src/appended && cat src/appended", "export Y=2; echo $Y", "umask 077; touch made/private; stat -c %a made/private",
    "cp src/a.txt made/copy && cmp src/a.txt made/copy", "sed -i s/one/two/ made/one && cat made/one", "touch made/x made/y; ls made", "ln -s a.txt src/link; readlink src/link", "rmdir nosuchdir; echo went on",
  ]),
  ...list("denied", ["rm -rf src", "rm made/one", "cd src && rm a.txt", "echo x; rm src/a.txt"]),
  ...list("asked", ["git push", "git push origin main"]),
  ...list("no rule", ["curl http://127.0.0.1:1/", "chmod 777 src/a.txt", "wget -q http://127.0.0.1:1/"]),
  ...list("outside", ["cat {out}/outside.txt", "touch {out}/new", "echo x > {out}/written", "tee {out}/teed </dev/null", "sed -i s/a/b/ {out}/outside.txt", "cp src/a.txt {out}/copy"]),
  ...list("file rule", ["cat secret.txt", "head -1 secret.txt", "echo x > .git/hooks/pre-commit"]),
  ...list("stdin", ["cat", "read x; echo \"status $?\"", "python3 -c 'import sys; print(repr(sys.stdin.read()))'", "wc -c"]),
  ...list("prompt", ["read -p 'Name: ' x; echo \"got $x\"", "printf 'Password: '; sleep 0.3; echo done"]),
  ...list("slow", ["echo first; sleep 2; echo last", "for i in 1 2 3; do echo line $i; sleep 0.7; done", "sleep 1.2", "echo err >&2; sleep 1.5; echo out; exit 4"]),
  ...list("long", ["seq 3000", "seq 3000 | sed 's/^/error: line /'", "python3 -c 'for i in range(3000): print(\"row\", i)'; exit 5", "yes abcdefghij | head -c 200000", "seq 800; echo LAST >&2; exit 9"]),
  ...list("secret", ["echo token ghp_0123456789abcdefghijklmnopqrstuvwxyzAB", "echo $MY_API_TOKEN", "env | grep MY_API_TOKEN"]),
  ...list("leftover", ["(sleep 1; echo late >> made/late) & echo foreground", "sleep 30 >/dev/null 2>&1 & echo started", "nohup sleep 1 >/dev/null 2>&1 & disown; echo detached"]),
  ...list("shell", ["echo $0", "echo ${BASH_ENV-unset} ${ENVWRAP_BELOW-unset}", "trap 'echo trapped' EXIT; echo body", "set -e; false; echo never", "bash -c 'echo inner; false | cat'", "declare -F | wc -l", "type -t ls", "echo \"$-\" | tr -d '\\n' | wc -c"]),
];
