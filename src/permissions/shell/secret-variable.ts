const pattern =
  /(^|_)(API_?KEY|ACCESS_?KEY|KEY|TOKEN|SECRETS?|PASS|PASSWD|PASSWORD|PASSPHRASE|CREDENTIALS?|AUTH|PAT|PRIVATE)(_|\d|$)/i;

/** True for a name that variables with keys, tokens and passwords have. */
export function isSecretVariable(name: string): boolean {
  return pattern.test(name);
}
