package token

// Tables are all tables of tokens.
var Tables = [...]*[]Family{&vcsTokens, &cloudTokens, &aiTokens, &payTokens, &chatTokens, &opsTokens, &dataTokens, &appTokens}
