import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../support/source-files.ts';

const readme = readFileSync(path.join(projectRoot, 'README.md'), 'utf8');

/** The bullets under "What it does". Each ends in a comment: a test file, and part of a test's name in it. */
function claims(): string[] {
  const from = readme.indexOf('## What it does');
  const section = readme.slice(from, readme.indexOf('\n## ', from + 1));
  return section.split('\n').filter((line) => line.startsWith('- '));
}

function faultOf(claim: string): string | undefined {
  const proof = /<!-- (test\/\S+?)(?:: (.+?))? -->$/.exec(claim);
  if (!proof) return `names no test: ${claim}`;
  const [, file = '', name] = proof;
  const absolute = path.join(projectRoot, file);
  if (!existsSync(absolute)) return `names a test file that is not there: ${file}`;
  const text = readFileSync(absolute, 'utf8');
  if (!/^\s*(?:it|test)(?:\.each)?\(/m.test(text)) return `names a file without tests: ${file}`;
  const isNamed = name === undefined || text.includes(name);
  return isNamed ? undefined : `names a test that ${file} does not have: ${name}`;
}

describe('the README', () => {
  it('claims nothing that no test drives', () => {
    expect(claims().length).toBeGreaterThan(20);
    expect(claims().flatMap((claim) => faultOf(claim) ?? [])).toEqual([]);
  });

  it('shows only pictures and links that are there', () => {
    const targets = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map((match) => match[1] ?? '');
    const missing = targets.filter(
      (target) => !/^https?:/.test(target) && !existsSync(path.join(projectRoot, target)),
    );
    expect(missing).toEqual([]);
  });

  it('begins with the two commands that do everything', () => {
    const scripts = JSON.parse(readFileSync(path.join(projectRoot, 'package.json'), 'utf8')).scripts;
    expect(readme.slice(0, 500)).toContain('npm ci && npm start');
    expect(readme.slice(0, 500)).toContain('npm ci && npm test');
    expect(scripts).toMatchObject({ start: expect.any(String), test: expect.any(String) });
  });
});
