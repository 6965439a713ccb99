package token

import "github.com/envwrap/envwrap/redact/internal/ascii"

// vcsTokens are the tokens of code hosts, build services and package registries.
var vcsTokens = []Family{
	{"github-token", "https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github", []Token{
		{"ghp_", ascii.Alnum, 36, 0, 0, "jt8qRiqJGtO8RMXBltEKjt3cLymvitSiWPvP"},
		{"gho_", ascii.Alnum, 36, 0, 0, "IEUOwi0OuqCaqj8ZCKEfRAW89eYbTGYmfCKW"},
		{"ghu_", ascii.Alnum, 36, 0, 0, "f2Ojwk59FnCIGQN9szLbXBwV00LSxghTg9a8"},
		{"ghs_", ascii.URLSafe | ascii.Dot, 36, 0, 0, "dOeXo3Lsg3IeZXIoKMbIPoF7EZARuhZYA83i"},
		{"ghr_", ascii.Alnum, 36, 0, 0, "MJXSN12vRk3KdcU3haHGeY098l85pbWareeg"},
		{"github_pat_", ascii.Word, 36, 0, 0, "Lro23DO8q5OF2TQXiX21ta_55ehxYl90jpPKCVrda7MmePgTlmTjRzl4JWxYJXvIcElcIeCQwCplbVtfVg"},
	}},
	{"gitlab-token", "https://docs.gitlab.com/security/tokens/", []Token{
		{"glpat-", ascii.URLSafe | ascii.Dot, 20, 0, 0, "yVUa6Fp3lgCmExnaMt4E"},
		{"gldt-", ascii.URLSafe | ascii.Dot, 20, 0, 0, "JjgGHEfzJPusnxyv1jal"},
		{"glrt-", ascii.URLSafe | ascii.Dot, 20, 0, 0, "kPBtpgO6K2KOnjgL0pEm"},
		{"glrtr-", ascii.URLSafe | ascii.Dot, 20, 0, 0, "sypbNm7rpWCs6euf6N4V"},
		{"glcbt-", ascii.URLSafe | ascii.Dot, 20, 0, 0, "6m_SaLNOx3DzqlqN69dVvA9"},
		{"glptt-", ascii.URLSafe, 20, 0, 0, "9a2f001d63d3bebb8ad03f796dc5861d505ed91f"},
		{"glft-", ascii.URLSafe, 20, 0, 0, "nrtlGHdz9OZfoRX8fegq"},
		{"glimt-", ascii.URLSafe, 20, 0, 0, "KCtBW95IqD1ZQGAulFcM3s3YW"},
		{"glagent-", ascii.URLSafe, 20, 0, 0, "a1MlLXrUSJL7EtBOGtjZ7vmY17B1M3QM-s89oyTy7_L_fSzgH0"},
		{"gloas-", ascii.URLSafe, 20, 0, 0, "8a01c689f332ccfcdd7b0fb0d5deac1a8dbe86f84097c8ae64d60d75477c9014"},
		{"glsoat-", ascii.URLSafe, 20, 0, 0, "IDpkofCJfU-mmbKJKs5x"},
		{"glffct-", ascii.URLSafe, 20, 0, 0, "EShWeRPdqkGEfOmFCHlz"},
		{"glwt-", ascii.URLSafe, 20, 0, 0, "XhKR4GXZetYBWXy0UvcS"},
		{"GR1348941", ascii.URLSafe, 20, 0, 0, "Xn0X1M0ohUreJc_DISf6"},
	}},
	{"gitlab-session", "https://docs.gitlab.com/security/tokens/", []Token{
		{"_gitlab_session=", ascii.HexDigit | ascii.Lower, 32, 0, 0, "6c5fcd4cb246b9416c3a788c0336edf5"},
	}},
	{"bitbucket-app-password", "https://support.atlassian.com/bitbucket-cloud/docs/app-passwords/", []Token{
		{"ATBB", ascii.Alnum | ascii.Under | ascii.Equals | ascii.Dash, 28, 60, 0, "KVMyQOLzqkE1W9VMTYpsEpfqtNxuPP5e"},
	}},
	{"atlassian-token", "https://support.atlassian.com/atlassian-account/docs/manage-api-tokens-for-your-atlassian-account/", []Token{
		{"ATATT3", ascii.URLSafe | ascii.Equals, 60, 0, 0, "QVnggIG-00DjcfWPGnEKAMJciEqEpAN1xD3Qn8gHOz9wIvyV4vsKtGD6GlNvLCJz7A5FnmFfiQChDEgVYQqehkAxOK95RnuSgwWs4Regfa9UI5MhVkG-IAF0RtS0WD8Kzl7wRJQlBFBlk-mac68PJnzkwxrNlCcanWMCq8nic9Yntv9Tb_4n=Q3ZO8CMT"},
		{"ATCTT3", ascii.URLSafe | ascii.Equals, 60, 0, 0, "dM1lCM1KTlsOx5ZsqhOx8pIsSwZtdRErl7U_-SrmCvgXjidWC8l6NuKxPRqh3yuzK3JBk3rA5wDDNAn-lEzaaPUI4oj2QBEjRTsnBD1DEB0Kk9I48zpYQfSo9PwQpWRDLL8yn8JXX0KlDZNdTgepIf_VdMcJnwEfpWmGTxc7PXpPhqB0GGpM=ISRZZIH3"},
	}},
	{"trello-token", "https://developer.atlassian.com/cloud/trello/guides/rest-api/authorization/", []Token{
		{"ATTA", ascii.Alnum, 64, 80, 0, "bcbe81674613f5409f391fc09f277968f79037833f0daa7bb4bbe1705d912827PG28UPBT"},
	}},
	{"circleci-token", "https://circleci.com/docs/guides/toolkit/managing-api-tokens/", []Token{
		{"CCIPAT_", ascii.URLSafe, 40, 0, 0, "nnJXR6yTt7W8MvIyfvc7Hl_717b1fbfa302caca0b54fad00c21856b95cc3611"},
		{"CCIPRJ_", ascii.URLSafe, 40, 0, 0, "0MOs4mgYahQpeTWpTGaoLh_19ee93df40dc32bf0a35d2c6feaef9166e30bcb4"},
	}},
	{"buildkite-token", "https://buildkite.com/docs/apis/managing-api-tokens", []Token{
		{"bkua_", ascii.Alnum, 40, 0, 0, "b0202629128bd6b6fbe898e017eafcf8d9f0e069"},
		{"bkaa_", ascii.Word, 36, 0, 0, "77uSvzrOyR5FgrkINNjKF4Y9SRoNHn9YN9siN0AREipGqJ8iQWS7vgUL37XmKWx1KnG00xZVrv0"},
		{"bkct_", ascii.Word, 36, 0, 0, "7s38Gv3kKwbFhHOpuG6qCBq3oL9riJbOzKQyz9zy4OoWbCNhS2Eo2SGBMtFvETFy"},
		{"bkaj_", ascii.Word, 36, 0, 0, "YBw5GG7c9nCbwxyEADND5dsSKNf5haY0HjYUrSYcvgiCe83K7pcPmVjZYpcZ8853"},
		{"bkpt_", ascii.Word, 36, 0, 0, "xrtfcKjWHdMvGMcCPgblnuiscPg3WNJiSfYmWgZ0FMf4zc2kXiL3I6e4LXe03JUU"},
		{"bkat_", ascii.Word, 36, 0, 0, "zGAAS0cHvVm7kDwBPzLOmMontVfL0t7iOfofWe0lt51nx5hCOcixtrZ3LqsDwULf"},
		{"bkps_", ascii.Word, 36, 0, 0, "9J8xj0wkK8b88SsCY8QadxBDtdUWuw9y5PJhCDTfagRf2VN4q4eNvKugdlKrNvxU"},
		{"bkcs_", ascii.Word, 36, 0, 0, "0wGywwf9c60CZls5IbvS58bvndg8SjaePTuPCW0fsy3SGi3SlTAfHBgvKkf3Gz6w"},
	}},
	{"npm-token", "https://docs.npmjs.com/about-access-tokens", []Token{
		{"npm_", ascii.Alnum, 36, 36, 0, "iLvljZJ4WosMbsdYHe3SQXsiv9GqW050qhDC"},
	}},
	{"pypi-token", "https://pypi.org/help/#apitoken", []Token{
		{"pypi-AgE", ascii.URLSafe, 50, 0, 0, "PfpwlGxpWIXOwsYEiNFi5J5XnsoKnHhm7I2JeT_z9FLYD23NCUuyXr-CojdXPXKUaHDgsxgYkSQSAl3m2FxZ4Y0WQ7Wfn0km40PWOl4BiXemA5fLowzsogn4cOcyne1Z98wc3CoQDfhguyhwzq9D9i"},
	}},
	{"rubygems-token", "https://guides.rubygems.org/api-key-scopes/", []Token{
		{"rubygems_", ascii.HexDigit, 48, 48, 0, "c7dc13e4a892fe5c3d5e63f2a72803fbcb72d70846b3b9a0"},
	}},
	{"crates-io-token", "https://doc.rust-lang.org/cargo/reference/publishing.html", []Token{
		{"cio", ascii.Alnum, 32, 32, 0, "JwhqVmi6MRBHCsIyf9MVPI3Zhr23DVy6"},
	}},
	{"nuget-key", "https://learn.microsoft.com/en-us/nuget/nuget-org/publish-a-package", []Token{
		{"oy2", ascii.Lower | ascii.Digit, 43, 43, 0, "t1kmgw7a54smva7s10ourxrflrwdywbfivn3qfxkb3x"},
	}},
	{"clojars-token", "https://github.com/clojars/clojars-web/wiki/Deploy-Tokens", []Token{
		{"CLOJARS_", ascii.Alnum, 60, 60, 0, "23doxq0niazdl9lzlp8pcdsnmrcy4cd50a25prti8oa53dhscj79fftc7tia"},
	}},
	{"cloudsmith-key", "https://docs.cloudsmith.com/accounts-and-teams/api-key", []Token{
		{"csa_", ascii.HexDigit, 36, 40, 0, "129175677734da807cbf4497fa26c3d66a95"},
	}},
	{"jfrog-token", "https://jfrog.com/help/r/jfrog-platform-administration-documentation/access-tokens", []Token{
		{"AKCp", ascii.Alnum, 60, 80, 0, "V4aEzpSk06E7Q1wUPqpm06o9507nFV5ORvGMEr3e30PUu43dDrN3nHvjSDEXkY6FdmTwf"},
		{"cmVmdGtu", ascii.Base64 | ascii.Equals, 56, 72, 0, "0F9WJDiobW0t1oX3KvxsY1oUYICMCJoQpAd59FBPxucYNl9FIGL9FHzM"},
	}},
	{"docker-token", "https://docs.docker.com/security/access-tokens/", []Token{
		{"dckr_pat_", ascii.URLSafe, 20, 0, 0, "nuDthGdvZs7zYlEIdetCMvRv7nO"},
		{"dckr_oat_", ascii.URLSafe, 20, 0, 0, "t7-2aX2xVrH2b7D-K8rGWEbkH7ksxgzT"},
	}},
	{"docker-swarm-token", "https://docs.docker.com/reference/cli/docker/swarm/join-token/", []Token{
		{"SWMTKN-1-", ascii.URLSafe, 60, 0, 0, "jbkqip0woh3h33i3b36xcw25dlip9i0bh9gvj1wbbqh8zqkrox-9orbuhms4ab33tlhrfzlqkquc"},
		{"SWMKEY-1-", ascii.Base64 | ascii.Equals, 40, 0, 0, "dEoA3misVqJdrovhlFQyUe2RbueXzi8LdHvNbjIEmkS"},
	}},
	{"postman-key", "https://learning.postman.com/docs/developer/postman-api/authentication/", []Token{
		{"PMAK-", ascii.HexDigit | ascii.Dash, 59, 59, 0, "a53fc688a94fae7e8e94368d-a2ebcc6cab9e8c7655f6a212496d3c9f57"},
		{"PMAT-", ascii.Alnum, 26, 26, 0, "KNWNCWA0GF5KNP1U4D5AE1UQKV"},
	}},
	{"sonar-token", "https://docs.sonarsource.com/sonarqube-server/user-guide/managing-tokens", []Token{
		{"squ_", ascii.HexDigit, 40, 40, 0, "c63021de6716096a64e844ab3cf189791d762321"},
		{"sqp_", ascii.HexDigit, 40, 40, 0, "f43002c93c7af02f68258cc1d20aeeee06f65806"},
		{"sqa_", ascii.HexDigit, 40, 40, 0, "19d298121eb4f2c379c1b2b11d5c1e63d9cc3882"},
		{"sqb_", ascii.HexDigit, 40, 40, 0, "8832560c12a1ab849b3c5c10e7e0f7c725c3c7d5"},
	}},
	{"sourcegraph-token", "https://sourcegraph.com/docs/cli/how-tos/creating_an_access_token", []Token{
		{"sgp_", ascii.Word, 40, 0, 0, "2ec910d108bdcbfc_1c77671b47043d925a99073ecef5311331db2d1b"},
		{"sgd_", ascii.HexDigit, 64, 64, 0, "27c02594cdfe0a4a58ef2801ed6ef5dbd23dda0f5115149953f4df1ad727759d"},
		{"slk_", ascii.HexDigit, 64, 64, 0, "7eac0c661eb8a21ed1135677ebee321e380ce5de280000fde9ce73ba38653c81"},
	}},
	{"snyk-token", "https://docs.snyk.io/snyk-api/authentication-for-api", []Token{
		{"snyk_", ascii.URLSafe | ascii.Dot, 36, 0, 0, "APxLRSD11f9V_Bkdmlp_ZMw1RJzNwk8_jBilIAld"},
	}},
	{"semgrep-token", "https://semgrep.dev/docs/deployment/", []Token{
		{"sgpt_", ascii.Word, 32, 0, 0, "TKPcoJ0a4bDMiRyJHY4IeHWFrPVEYNCMRB37f6Hr"},
	}},
	{"octopus-key", "https://octopus.com/docs/octopus-rest-api/how-to-create-an-api-key", []Token{
		{"API-", ascii.Upper | ascii.Digit, 26, 32, 0, "5QBNKW8QGHCQV8O1NZ5EN4KJ13"},
	}},
	{"infracost-key", "https://www.infracost.io/docs/", []Token{
		{"ico-", ascii.Alnum, 32, 32, 0, "yVWxv0x9GzsSsb5ZqlvLrFosdqgWudhi"},
	}},
	{"prefect-key", "https://docs.prefect.io/v3/how-to-guides/cloud/manage-users/api-keys", []Token{
		{"pnu_", ascii.Alnum, 36, 36, 0, "gjIPB689wWzmrn4wGkRTyRUuYgdlkgRo4GDF"},
		{"pnb_", ascii.Alnum, 36, 36, 0, "cLYpUYVVB8RVETnbIp44XglCs1M5f7nWYZFh"},
	}},
	{"pulumi-token", "https://www.pulumi.com/docs/pulumi-cloud/access-management/access-tokens/", []Token{
		{"pul-", ascii.HexDigit, 40, 40, 0, "b58836b2729e3248286f673043813b7edd531433"},
	}},
	{"doppler-token", "https://docs.doppler.com/reference/auth-token-formats", []Token{
		{"dp.pt.", ascii.Alnum, 40, 44, 0, "SIl6gnfdDBhyarNE5W1YYxehNCeSZWyEml4DmZUSuza"},
		{"dp.st.", ascii.URLSafe | ascii.Dot, 40, 0, 0, "CildH5ilCWN8Q9sFoyUVB5CAM3WoUYkoQ4fWtoI5PzD"},
		{"dp.ct.", ascii.Alnum, 40, 44, 0, "Jj1sANfn9Nr2aZJ3iiErlCtqry7gARZX6DJxdA7i5W9"},
		{"dp.sa.", ascii.Alnum, 40, 44, 0, "UuNPeb0snkv0KvGN9Css1xAmd44LgOJ9ehgALjoxWL3"},
		{"dp.scim.", ascii.Alnum, 40, 44, 0, "uUkVJkoZuZ4AGE6ipMsEXHI27ViVWtKw32RB7OTJuaq"},
		{"dp.audit.", ascii.Alnum, 40, 44, 0, "bWGIVpHUmwCNAOHbtCKUJKNYNmHnzBn2R3LH1UsF5zg"},
		{"dp.said.", ascii.Alnum, 40, 44, 0, "H7zGhl3y8N6qFbkxiAXx4KaKF7XPPq13x2XHh3PldfS"},
	}},
	{"vault-token", "https://developer.hashicorp.com/vault/docs/concepts/tokens", []Token{
		{"hvs.", ascii.URLSafe, 20, 0, 0, "lhigUyZUQBFAHrxXxjsbef-KCiCP7A451UGJDtByp6Q3GXQ2i32v25E5Vn0_7KCznOn84AjVgB1z1KhQM7n4X8W4f5"},
		{"hvb.", ascii.URLSafe, 20, 0, 0, "wSURoUvPjxsyZiz64Q_X6sncXAkoJQIUPvHorYbnXy57SOX0MinSWRnZc1QnwJSkLo1l075X6dUtKnFNXFt_lwZK7xQHX5psM9GCfJdGYO6aYQIkGfNyix5vP0GyPQMJywL4D2D-ic"},
		{"hvr.", ascii.URLSafe, 20, 0, 0, "sgc728im-Ce2CDS-6BeYFg9u"},
	}},
	{"harness-token", "https://developer.harness.io/docs/platform/automation/api/add-and-manage-api-keys", []Token{
		{"pat.", ascii.URLSafe | ascii.Dot, 60, 80, '.', "fNO166Ov5RoQmXgfoGmu6S.c6387c9aa326a2990c5fc74a.GDprlbes1Ys4d5ij63Zw"},
		{"sat.", ascii.URLSafe | ascii.Dot, 60, 80, '.', "zzNeKgPdbrv7mtTcuJuB2a.9e0cef70a9a8a4f7023a4c6b.V74nmBZYCvD4omi73vES"},
	}},
	{"codemagic-token", "https://docs.codemagic.io/rest-api/codemagic-rest-api/", []Token{
		{"codemagic_", ascii.URLSafe, 30, 0, 0, "JK0sUJtxOpWla6jagTWG8B9dFve6KucTIgllkrK6DI1"},
	}},
	{"readme-key", "https://docs.readme.com/main/docs/api-keys", []Token{
		{"rdme_", ascii.Lower | ascii.Digit, 70, 70, 0, "i1sw80y0ff5qeza5uek4x7i3z9udkyt98mduicsil7igwhaz7a2jceq9v79h40o52tx8hv"},
	}},
	{"expo-token", "https://docs.expo.dev/accounts/programmatic-access/", []Token{
		{"expo_", ascii.URLSafe, 32, 0, 0, "hdo4XbeM3UeLjLx1FjfpLCVb3BbACmPYqZcXzp2n"},
	}},
	{"endor-key", "https://docs.endorlabs.com/", []Token{
		{"endr+", ascii.Alnum, 16, 16, 0, "eazTfxuZ9gYjey3d"},
	}},
	{"aikido-client", "https://apidocs.aikido.dev/", []Token{
		{"AIK_", ascii.Word, 20, 0, 0, "L3KRKaBRZF1GAmae3xn3Q1Nk5srwvGF1"},
	}},
	{"rootly-key", "https://rootly.com/api", []Token{
		{"rootly_", ascii.HexDigit, 64, 64, 0, "52b6b3f699ec67a9a65c5d7bbf3de30901fdf673d12fe1b1b50269a79078355a"},
	}},
	{"thunderstore-token", "https://thunderstore.io/api/docs/", []Token{
		{"tss_", ascii.Alnum, 32, 0, 0, "SYWcdHE6MudjU6Kk4am6qvXZPtxa8UiM"},
	}},
}
