import { mkdtemp, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { listThreads } from '#engine/thread/store.ts';
import { childEnvironment } from '#lib/child-env.ts';
import { errorText } from '#lib/errors.ts';
import { findProgram, repositoryFolder } from '#lib/find-program.ts';
import { makeFolder } from '#lib/make-folder.ts';
import { displayPath, llmcodeHome } from '#lib/paths.ts';
import { runProcess } from '#lib/spawn.ts';
import { loadInstructions } from '#memory/instructions.ts';
import type { ModelChoice } from '#protocol/model-ref.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';
import { findRipgrep } from '#tools/search/ripgrep.ts';
import { type Composition, compose } from '../compose.ts';
import { workingFolder } from '../cwd.ts';
import { noPause } from '../demo/model.ts';
import type { Host } from '../host.ts';
import { packageVersion } from '../package-files.ts';
import { placeText } from '../permissions/overview.ts';
import { everyRule, ruleFindings } from '../permissions/rule-desk.ts';
import { examineSession, programText } from '../sandbox-text.ts';
import { findStartModel } from '../start-model.ts';

export type Finding = { check: string; level: 'ok' | 'info' | 'warning' | 'error'; text: string };

/** Looks at one thing after the other; nothing that is missing keeps the rest from being looked at. */
export async function* examine(host: Host, asked: string | undefined): AsyncGenerator<Finding> {
  const { versions, platform, arch, execPath } = process;
  yield { check: 'llmcode', level: 'ok', text: packageVersion() };
  yield { check: 'node', level: 'ok', text: `${versions.node} (${execPath}), ${platform} ${arch}` };
  yield terminalFinding(host);
  yield* programFindings(host);
  yield await homeFinding(llmcodeHome(host.env));
  yield keyFinding(host);

  let cwd: string;
  let composition: Composition;
  try {
    cwd = workingFolder(host, asked);
    composition = await compose({ host, cwd, flags: {}, demoPace: noPause });
  } catch (error) {
    yield { check: 'settings', level: 'error', text: errorText(error) };
    return;
  }
  yield* settingsFindings(composition);
  yield* modelFindings(composition);
  yield* projectFindings(composition);
  yield* sandboxFindings(composition, host);
  yield* ruleFindingsOf(composition);
  yield* languageFindings(composition);
}

function* languageFindings({ languages, settings, cwd }: Composition): Generator<Finding> {
  const check = 'languages';
  if (!settings.values.lsp.enabled) return yield { check, level: 'info', text: 'switched off (lsp.enabled)' };
  for (const { server, languages: spoken, file, install } of languages.overview())
    yield {
      check,
      level: file === undefined ? 'info' : 'ok',
      text:
        file === undefined
          ? `${spoken.join(', ')}: no server; ${server} would answer (${install})`
          : `${spoken.join(', ')}: ${displayPath(file, cwd)}`,
    };
}

function* ruleFindingsOf(composition: Composition): Generator<Finding> {
  const check = 'permissions';
  const rules = everyRule(composition);
  const findings = ruleFindings(composition);
  const count = rules.length === 1 ? '1 rule' : `${rules.length} rules`;
  yield { check, level: 'ok', text: rules.length === 0 ? 'no rules; the mode decides' : count };
  for (const { rule, text } of findings)
    yield {
      check,
      level: 'warning',
      text: `${placeText(rule.source, composition.cwd)}: ${rule.action} ${rule.text}: ${text}`,
    };
}

async function* sandboxFindings(composition: Composition, { env }: Host): AsyncGenerator<Finding> {
  const check = 'sandbox';
  const { mode } = composition.settings.values.sandbox;
  try {
    const { program, findings } = await examineSession(composition, env);
    if (program.kind === 'none') {
      const level = mode === 'required' ? 'error' : mode === 'auto' ? 'warning' : 'info';
      const effect =
        mode === 'required'
          ? 'commands are refused'
          : 'the permission mode and the rules decide what a command may do';
      yield { check, level, text: `none: ${programText(program)}; ${effect}` };
      return;
    }
    yield { check, level: 'ok', text: `${mode}, ${programText(program)}` };
    for (const { isHeld, text } of findings) yield { check, level: isHeld ? 'ok' : 'error', text };
  } catch (error) {
    yield { check, level: 'error', text: errorText(error) };
  }
}

function terminalFinding({ stdin, stdout, env }: Host): Finding {
  const isTerminal = stdin.isTTY === true && stdout.isTTY === true;
  const size = stdout.isTTY ? `${stdout.columns}x${stdout.rows}` : 'no terminal';
  const named = ['TERM', 'COLORTERM', 'TERM_PROGRAM', 'NO_COLOR', 'TMUX'].flatMap((name) =>
    env[name] === undefined ? [] : [`${name}=${name === 'TMUX' ? 'set' : env[name]}`],
  );
  const isSmall = stdout.isTTY && (stdout.columns < 40 || stdout.rows < 10);
  const text = [size, ...named].join(', ');
  if (!isTerminal)
    return { check: 'terminal', level: 'info', text: `${text}; the screen needs one, -p does not` };
  return {
    check: 'terminal',
    level: isSmall ? 'warning' : 'ok',
    text: isSmall ? `${text}; 40x10 is the least` : text,
  };
}

async function* programFindings({ env, cwd }: Host): AsyncGenerator<Finding> {
  const trusted = (name: string) => findProgram(name, env, cwd === '' ? [] : [cwd, repositoryFolder(cwd)]);
  const ripgrep = await findRipgrep();
  yield await programFinding({
    check: 'ripgrep',
    file: ripgrep,
    without: 'a slower search of our own is used',
  });
  yield await programFinding({
    check: 'git',
    file: trusted('git'),
    without: 'branches, diffs and @ completion know less',
  });
  yield await programFinding({
    check: 'bash',
    file: trusted('bash'),
    without: 'the bash tool cannot run commands',
  });

  async function programFinding(options: {
    check: string;
    file: string | undefined;
    without: string;
  }): Promise<Finding> {
    const { check, file, without } = options;
    const missing: Finding = { check, level: 'warning', text: `not found; ${without}` };
    if (file === undefined) return missing;
    const end = await runProcess({
      file,
      args: ['--version'],
      cwd: cwd === '' ? homedir() : cwd,
      env: childEnvironment(env),
      timeoutMs: 5_000,
    });
    if (end.exitCode !== 0) return missing;
    return { check, level: 'ok', text: end.stdout.split('\n')[0] ?? '' };
  }
}

async function homeFinding(home: string): Promise<Finding> {
  try {
    makeFolder(home);
    await rm(await mkdtemp(path.join(home, '.doctor-')), { recursive: true });
    return { check: 'home', level: 'ok', text: home };
  } catch (error) {
    return {
      check: 'home',
      level: 'error',
      text: `${home} cannot be written (${errorText(error)}): threads and choices are not kept; set LLMCODE_HOME to another folder`,
    };
  }
}

/** Names only: a value must never reach a report that people paste into public places. */
function keyFinding({ env }: Host): Finding {
  const names = Object.keys(env).filter((name) => /(_API_KEY|_AUTH_TOKEN)$/.test(name) && env[name] !== '');
  const text = names.length > 0 ? `set: ${names.sort().join(', ')}` : 'none in the environment';
  return { check: 'keys', level: 'info', text };
}

function* settingsFindings({ settings }: Composition): Generator<Finding> {
  const files = settings.layers.flatMap((layer) => (layer.file ? [layer.origin] : []));
  yield {
    check: 'settings',
    level: 'ok',
    text: files.length > 0 ? files.join(', ') : 'no config file, all defaults',
  };
  for (const text of settings.notices) yield { check: 'settings', level: 'warning', text };
  const { trust, project } = settings;
  if (trust.state !== 'nothing')
    yield { check: 'trust', level: 'info', text: `${project} is ${trust.state}: ${trust.files.join(', ')}` };
  if (settings.unusedVariables.length > 0)
    yield {
      check: 'environment',
      level: 'warning',
      text: `no settings: ${settings.unusedVariables.join(', ')}`,
    };
}

async function* modelFindings({ settings, catalogue, home }: Composition): AsyncGenerator<Finding> {
  const stop = new AbortController();
  let choices: readonly ModelChoice[] = [];
  for await (const list of catalogue.choices(stop.signal)) choices = list;
  const providers = new Map<string, ModelChoice[]>();
  for (const choice of choices) {
    if (choice.source === 'demo') continue;
    providers.set(choice.ref.provider, [...(providers.get(choice.ref.provider) ?? []), choice]);
  }
  for (const [provider, found] of providers)
    yield {
      check: 'provider',
      level: 'ok',
      text: `${provider}: ${found.length} ${found.length === 1 ? 'model' : 'models'} (${found[0]?.detail ?? ''})`,
    };
  for (const { ref, info } of choices)
    if (info?.warning !== undefined)
      yield { check: 'context', level: 'warning', text: `${formatModelRef(ref)}: ${info.warning}` };
  // One from the settings that offers nothing is the likeliest reason for looking here.
  const silent = Object.entries(settings.values.providers).filter(([id]) => !providers.has(id));
  for (const [id, { base_url: url }] of silent)
    yield {
      check: 'provider',
      level: 'warning',
      text: `${id}: no model found${url === undefined ? '' : ` at ${url}`}; is the server running and the address right?`,
    };
  if (providers.size === 0 && silent.length === 0)
    yield {
      check: 'provider',
      level: 'warning',
      text: 'none: no local server answers, no key is set, none in config.json',
    };
  try {
    const start = await findStartModel({ settings, catalogue, home, signal: stop.signal });
    const text =
      start.kind === 'model' ? formatModelRef(start.model) : 'not chosen yet; the first start asks';
    yield { check: 'model', level: start.kind === 'model' ? 'ok' : 'info', text };
  } catch (error) {
    yield { check: 'model', level: 'error', text: errorText(error) };
  }
}

async function* projectFindings({ cwd, home, mode }: Composition): AsyncGenerator<Finding> {
  yield { check: 'mode', level: 'info', text: mode };
  const { files, notices } = await loadInstructions({ cwd, home, userHome: homedir() });
  const read = files.map((file) => `${file.path} (${file.bytes} bytes${file.truncated ? ', cut' : ''})`);
  yield { check: 'instructions', level: 'info', text: read.length > 0 ? read.join(', ') : 'none' };
  for (const text of notices) yield { check: 'instructions', level: 'warning', text };
  const threads = await listThreads(home, { cwd });
  yield { check: 'threads', level: 'info', text: `${threads.length} in this project` };
}
