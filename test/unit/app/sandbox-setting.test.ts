import { expect, it } from 'vitest';
import { inFull } from '#app/settings/full-forms.ts';
import { restrictProject } from '#app/settings/project-layer.ts';
import { permissionSettings } from '#permissions/settings.ts';

it('of the sandbox a project may only say that it is required, trusted or not', () => {
  for (const isTrusted of [true, false]) {
    const restricted = (sandbox: unknown) =>
      restrictProject({ sandbox }, { isTrusted, modeBelow: 'prompt' }).value;
    expect(restricted('off')).toEqual({});
    expect(restricted({ network: 'on', writable: ['/'], auto_allow: true })).toEqual({});
    expect(restricted('required')).toEqual({ sandbox: { mode: 'required' } });
    expect(restricted({ mode: 'required', writable: ['/'] })).toEqual({ sandbox: { mode: 'required' } });
  }
});

it('a mode alone is short for all the parts, and leaves the parts of other files alone', () => {
  const { value } = inFull({
    origin: 'LLMCODE_SANDBOX',
    kind: 'environment',
    value: { sandbox: 'required' },
    shown: {},
  });
  expect(value).toEqual({ sandbox: { mode: 'required' } });
  expect(permissionSettings.parse({}).sandbox.mode).toBe('off');
  expect(permissionSettings.parse({ sandbox: { network: 'off' } }).sandbox).toEqual({
    mode: 'auto',
    network: 'off',
    readable: [],
    writable: [],
    auto_allow: false,
  });
});
