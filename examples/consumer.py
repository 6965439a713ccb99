#!/usr/bin/env python3
"""Runs a helper that prints {"priorities": [...]} and shows what it found.

    python3 consumer.py COMMAND [ARG...]

envwrap does what a helper would otherwise do for itself: it says how the
command ended, in one envelope. What is left is to branch on its status.
"""

import json
import subprocess
import sys


# A program reads it: nothing has to be kept short for an agent's eyes.
WHOLE = ["--inline-limit", "8MiB", "--budget", "0"]


def main(command):
    try:
        run = subprocess.run(["envwrap", "-f", "helper/v1", *WHOLE, "--", *command], stdout=subprocess.PIPE)
        envelope = json.loads(run.stdout)
    except OSError as err:
        return fall_back(f"envwrap cannot be run: {err}")
    except ValueError:
        return fall_back("the helper printed no envelope")
    if str(envelope["schema_version"]).split(".")[0] != "1":
        return fall_back(f"unknown version {envelope['schema_version']}")

    status = envelope["status"]
    if status in ("ok", "partial"):
        if not isinstance(envelope.get("priorities"), list):
            return fall_back("the helper printed no priorities")
        for priority in envelope["priorities"]:
            print(f"- {priority}")
        if status == "partial":
            print("Sources skipped: " + ", ".join(envelope["skipped_sources"]))
    elif status == "tool-missing":
        print(envelope["error"]["message"])
        print(envelope["exec"]["hint"])
    else:
        fall_back(f"{envelope['error']['code']}: {envelope['error']['message']}")


def fall_back(why):
    print(why, file=sys.stderr)
    print("(please look by hand)")


if __name__ == "__main__":
    main(sys.argv[1:])
