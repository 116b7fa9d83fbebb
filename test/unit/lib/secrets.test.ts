import { describe, expect, it } from 'vitest';
import { findSecrets, scrubSecrets } from '#lib/secrets.ts';

// Put together here, so that no scanner of this repository takes them for real ones.
const letters = 'aB3dE5gH7jK9mN1pQ2sT4vW6yZ8bC0dF';
const secrets: readonly (readonly [kind: string, secret: string])[] = [
  ['provider-key', `sk-${letters}`],
  ['provider-key', `sk-ant-api03-${letters}-AA`],
  ['provider-key', `sk-or-v1-${letters}`],
  ['provider-key', `AIza${letters}Xyz`],
  ['provider-key', `gsk_${letters}`],
  ['provider-key', `xai-${letters}`],
  ['provider-key', `hf_${letters}`],
  ['cloud-key', `AKIA${'ABCDEFGHIJ234567'}`],
  ['token', `ghp_${letters}aaaa`],
  ['token', `glpat-${letters}`],
  ['token', `xoxb-1234567890-${letters}`],
  ['token', `sk_live_${letters}`],
  ['token', `npm_${letters}abcd`],
  ['jwt', `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTYifQ.${letters}`],
  ['pem', `-----BEGIN RSA PRIVATE KEY-----\n${letters}\n${letters}\n-----END RSA PRIVATE KEY-----`],
];

describe('the scan for secrets', () => {
  it.each(secrets)('finds a %s and nothing around it: %s', (kind, secret) => {
    const text = `before "${secret}", after`;
    expect(findSecrets(text)).toEqual([{ kind, start: 8, end: 8 + secret.length }]);
    expect(scrubSecrets(text)).toBe(`before "[secret:${kind}]", after`);
  });

  it.each(secrets)('finds a %s inside of JSON, twice written as a text: %s', (_kind, secret) => {
    const once = JSON.stringify({ text: `line\n${secret}\nline` });
    for (const text of [once, JSON.stringify({ arguments: once })]) {
      const scrubbed = scrubSecrets(text);
      expect(scrubbed).not.toContain(letters);
      expect(() => JSON.parse(scrubbed)).not.toThrow();
    }
  });

  it('takes the password out of an address and the value out of an assignment, and leaves the rest', () => {
    expect(scrubSecrets(`postgres://app:s3cret-pw@db.local:5432/x?key=${letters}`)).toBe(
      'postgres://app:[secret:url-password]@db.local:5432/x?key=[secret:url-password]',
    );
    expect(scrubSecrets(`export DB_PASSWORD='Tr0ub4dor-and-3'\nauthorization: Bearer ${letters}`)).toBe(
      "export DB_PASSWORD='[secret:assignment]'\nauthorization: Bearer [secret:token]",
    );
    expect(scrubSecrets(`aws_secret_access_key = ${letters}12345678`)).toBe(
      'aws_secret_access_key = [secret:cloud-key]',
    );
  });

  it('finds a private key that was cut off', () => {
    expect(scrubSecrets(`-----BEGIN PRIVATE KEY-----\n${letters}\n${letters.slice(0, 9)}`)).toBe(
      '[secret:pem]',
    );
  });

  it('leaves ordinary code, names, places to fill in and prose alone', () => {
    const text = [
      'const apiKey = process.env.OPENAI_API_KEY;',
      'password: string; token: z.string(), secret = readSecret(file)',
      'https://example.org/a:b@c?page=2&key=short#x task-list-with-some-dashes-in-it disk-usage-of-the-machine',
      'sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 01JD7Z0QW8R2H4N6M8K0B1C3D5',
      '-----BEGIN PUBLIC KEY----- -----BEGIN CERTIFICATE-----',
      "const start = '-----BEGIN RSA PRIVATE KEY-----'; // then words of a comment\\nconst end = 1;",
      '.sk-estimator-doc-link, .sk-loading-spinner-container { } hf_model_for_causal_language(x)',
      'const access_token = response.data.token2Value; secret = createHmacSha256(key), password=$DB_PASSWORD_1',
      'private_key: ~/.ssh/id_ed25519.pub, secret: ./secrets/file-2.txt, secret: /run/secrets/db-2.txt',
      'postgres://user:${PASSWORD1}@host, `https://x?token=${token1value}`, ?api_key=YOUR_API_KEY_1',
      'basic internationalization of Basic authentication-2 bearer authentication-token',
      'secret:\n  name-of-secret-1234: x',
    ].join('\n');
    expect(findSecrets(text)).toEqual([]);
  });

  it('finds nothing in a text that was scrubbed', () => {
    const scrubbed = scrubSecrets(secrets.map(([, secret]) => `KEY=${secret} token: "${secret}"`).join('\n'));
    expect(scrubSecrets(scrubbed)).toBe(scrubbed);
  });

  it('takes no longer for a long text', () => {
    const text =
      'https://a:b '.repeat(40_000) + 'eyJ'.repeat(40_000) + '-----BEGIN PRIVATE KEY-----'.repeat(500);
    const start = performance.now();
    findSecrets(text);
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});
