package redact

// A program is one that takes passwords in options whose names do not tell, or as
// arguments.
type program struct {
	name     string
	needs    string // a word that must follow, if any
	flags    []cliFlag
	argument int  // which of its arguments is a password, from 1 on; 0 is none
	sep      byte // before the password in that argument, 0 where it is all of it
}

// A cliFlag is an option whose argument is, or has, a password.
type cliFlag struct {
	option string // with its dash
	joined bool   // the argument may follow without a space
	sep    byte   // before the password: user:password; 0 where it is all of the argument
}

// programs lists them. The sources are their manual pages.
var programs = []program{
	{"curl", "", []cliFlag{{"-u", true, ':'}, {"--user", false, ':'}, {"-U", true, ':'}, {"--proxy-user", false, ':'}}, 0, 0},
	{"http", "", []cliFlag{{"-a", false, ':'}, {"--auth", false, ':'}}, 0, 0},
	{"https", "", []cliFlag{{"-a", false, ':'}, {"--auth", false, ':'}}, 0, 0},
	{"sshpass", "", []cliFlag{{"-p", true, 0}}, 0, 0},
	{"mysql", "", []cliFlag{{"-p", true, 0}}, 0, 0},
	{"mysqldump", "", []cliFlag{{"-p", true, 0}}, 0, 0},
	{"mariadb", "", []cliFlag{{"-p", true, 0}}, 0, 0},
	{"docker", "login", []cliFlag{{"-p", false, 0}}, 0, 0},
	{"podman", "login", []cliFlag{{"-p", false, 0}}, 0, 0},
	{"skopeo", "", []cliFlag{{"--creds", false, ':'}, {"--src-creds", false, ':'}, {"--dest-creds", false, ':'}}, 0, 0},
	{"buildah", "", []cliFlag{{"--creds", false, ':'}}, 0, 0},
	{"psexec", "", []cliFlag{{"-p", false, 0}}, 0, 0},
	{"psexec.exe", "", []cliFlag{{"-p", false, 0}}, 0, 0},
	{"redis-cli", "", []cliFlag{{"-a", false, 0}}, 0, 0},
	{"mongo", "", []cliFlag{{"-p", false, 0}}, 0, 0},
	{"mongosh", "", []cliFlag{{"-p", false, 0}}, 0, 0},
	{"mongodump", "", []cliFlag{{"-p", false, 0}}, 0, 0},
	{"ldapsearch", "", []cliFlag{{"-w", false, 0}}, 0, 0},
	{"ldapmodify", "", []cliFlag{{"-w", false, 0}}, 0, 0},
	{"ldapadd", "", []cliFlag{{"-w", false, 0}}, 0, 0},
	{"sqlcmd", "", []cliFlag{{"-P", true, 0}}, 0, 0},
	{"bcp", "", []cliFlag{{"-P", true, 0}}, 0, 0},
	{"zip", "", []cliFlag{{"-P", false, 0}}, 0, 0},
	{"unzip", "", []cliFlag{{"-P", false, 0}}, 0, 0},
	{"smbclient", "", []cliFlag{{"-U", false, '%'}}, 0, 0},
	{"crackmapexec", "", []cliFlag{{"-p", false, 0}}, 0, 0},
	{"evil-winrm", "", []cliFlag{{"-p", false, 0}}, 0, 0},
	{"ipmitool", "", []cliFlag{{"-P", false, 0}}, 0, 0},
	{"lftp", "", []cliFlag{{"-u", false, ','}}, 0, 0},
	{"snmpget", "", []cliFlag{{"-A", false, 0}, {"-X", false, 0}}, 0, 0},
	{"snmpwalk", "", []cliFlag{{"-A", false, 0}, {"-X", false, 0}}, 0, 0},
	{"mariadb-dump", "", []cliFlag{{"-p", true, 0}}, 0, 0},
	{"mongorestore", "", []cliFlag{{"-p", false, 0}}, 0, 0},
	{"mongoexport", "", []cliFlag{{"-p", false, 0}}, 0, 0},
	{"mongoimport", "", []cliFlag{{"-p", false, 0}}, 0, 0},
	{"psexec64", "", []cliFlag{{"-p", false, 0}}, 0, 0},
	{"psexec64.exe", "", []cliFlag{{"-p", false, 0}}, 0, 0},
	{"mosquitto_pub", "", []cliFlag{{"-P", false, 0}}, 0, 0}, //nolint:misspell // a name
	{"mosquitto_sub", "", []cliFlag{{"-P", false, 0}}, 0, 0}, //nolint:misspell // a name
	{"ldappasswd", "", []cliFlag{{"-w", false, 0}, {"-s", false, 0}}, 0, 0},
	{"ldapdelete", "", []cliFlag{{"-w", false, 0}}, 0, 0},
	{"ssh-keygen", "", []cliFlag{{"-N", false, 0}, {"-P", false, 0}}, 0, 0},
	{"openssl enc", "", []cliFlag{{"-k", false, 0}}, 0, 0},
	{"7za", "", []cliFlag{{"-p", true, 0}}, 0, 0},
	{"twine upload", "", []cliFlag{{"-p", false, 0}}, 0, 0},
	{"helm registry login", "", []cliFlag{{"-p", false, 0}}, 0, 0},
	{"oc login", "", []cliFlag{{"-p", false, 0}}, 0, 0},
	{"az login", "", []cliFlag{{"-p", false, 0}}, 0, 0},
	{"az keyvault secret set", "", []cliFlag{{"--value", false, 0}}, 0, 0},
	{"aws ssm put-parameter", "SecureString", []cliFlag{{"--value", false, 0}}, 0, 0},
	{"beeline", "", []cliFlag{{"-p", false, 0}}, 0, 0},
	{"cqlsh", "", []cliFlag{{"-p", false, 0}}, 0, 0},
	{"ncftpput", "", []cliFlag{{"-p", false, 0}}, 0, 0},
	{"certutil", "", []cliFlag{{"-p", false, 0}}, 0, 0},
	{"poetry publish", "", []cliFlag{{"-p", false, 0}}, 0, 0},
	{"gem push", "", []cliFlag{{"--key", false, 0}}, 0, 0},
	{"gh secret set", "", []cliFlag{{"--body", false, 0}, {"-b", false, 0}}, 0, 0},
	{"codecov", "", []cliFlag{{"-t", false, 0}}, 0, 0},
	{"dotnet nuget push", "", []cliFlag{{"-k", false, 0}}, 0, 0},
	{"influx", "", []cliFlag{{"-t", false, 0}}, 0, 0},
	{"etcdctl user add", "", nil, 1, ':'},
	{"etcdctl", "", []cliFlag{{"--user", false, ':'}}, 0, 0},
	{"kubectl create secret", "", []cliFlag{{"--from-literal", false, '='}}, 0, 0},
	{"winexe", "", []cliFlag{{"-U", false, '%'}}, 0, 0},
	{"rpcclient", "", []cliFlag{{"-U", false, '%'}}, 0, 0},
	{"netexec", "", []cliFlag{{"-p", false, 0}}, 0, 0},
	{"smbmap", "", []cliFlag{{"-p", false, 0}}, 0, 0},
	{"xfreerdp", "", []cliFlag{{"/p:", true, 0}}, 0, 0},
	{"signtool", "", []cliFlag{{"/p", false, 0}}, 0, 0},
	{"schtasks", "", []cliFlag{{"/rp", false, 0}}, 0, 0},
	{"wpa_passphrase", "", nil, 2, 0},
	{"cargo login", "", nil, 1, 0},
	{"vault login", "", nil, 1, 0},
	{"vault operator unseal", "", nil, 1, 0},
	{"rabbitmqctl add_user", "", nil, 2, 0},
	{"rabbitmqctl change_password", "", nil, 2, 0},
	{"snyk auth", "", nil, 1, 0},
	{"ngrok authtoken", "", nil, 1, 0},
	{"ngrok config add-authtoken", "", nil, 1, 0},
	{"net user", "", nil, 2, 0},
	{"flyctl secrets set", "", nil, 1, '='},
	{"fly secrets set", "", nil, 1, '='},
	{"doppler secrets set", "", nil, 1, '='},
	{"supabase secrets set", "", nil, 1, '='},
	{"heroku config:set", "", nil, 1, '='},
	{"htpasswd -nb", "", nil, 2, 0},
	{"htpasswd -nbB", "", nil, 2, 0},
	{"htpasswd", "-", nil, 3, 0},
	{"net use", "/user", nil, 3, 0},
	{"radtest", "", nil, 2, 0},
	{"nuget setapikey", "", nil, 1, 0},
	{"vault kv put", "", nil, 2, '='},
	{"composer config github-oauth.github.com", "", nil, 1, 0},
	{"mysqladmin", "password", []cliFlag{{"-p", true, 0}}, 2, 0},
	{"poetry config pypi-token.pypi", "", nil, 1, 0},
	{"mc alias set", "", nil, 4, 0},
	{"sqlplus", "", nil, 1, '/'},
	{"expdp", "", nil, 1, '/'},
	{"impdp", "", nil, 1, '/'},
}
