import { parsePermissionMode, permissionModes } from '#protocol/permission-mode.ts';
import { isRecord, type SettingsObject, valueAt } from './settings-object.ts';

/**
 * What of a project's config may take effect. A repository must not grant itself anything: of `permissions` only
 * `deny`, `ask` and a stricter mode count, of `sandbox` only that it is required, and before the person trusted the
 * folder nothing else counts at all.
 */
export function restrictProject(
  value: SettingsObject,
  options: { isTrusted: boolean; modeBelow: unknown },
): { value: SettingsObject; ignored: string[] } {
  const { permissions, permission_mode: mode, sandbox, ...rest } = value;
  const kept: SettingsObject = options.isTrusted ? { ...rest } : {};
  const ignored = options.isTrusted ? [] : Object.keys(rest);
  if (isStricter(mode, options.modeBelow)) kept['permission_mode'] = mode;
  else if (mode !== undefined) ignored.push('permission_mode');
  if (sandbox === 'required' || (isRecord(sandbox) && sandbox['mode'] === 'required'))
    kept['sandbox'] = { mode: 'required' };
  if (sandbox !== undefined && sandbox !== 'required') ignored.push('sandbox');
  if (isRecord(permissions)) {
    const allowed = restrictPermissions(permissions, options.modeBelow);
    if (Object.keys(allowed).length > 0) kept['permissions'] = allowed;
    const dropped = Object.keys(permissions).filter((key) => !Object.hasOwn(allowed, key));
    ignored.push(...dropped.map((key) => `permissions.${key}`));
  } else if (permissions !== undefined) kept['permissions'] = permissions; // The schema says what is wrong with it.
  return { value: kept, ignored };
}

function restrictPermissions(permissions: SettingsObject, modeBelow: unknown): SettingsObject {
  const kept: SettingsObject = {};
  for (const key of ['deny', 'ask']) if (Object.hasOwn(permissions, key)) kept[key] = permissions[key];
  if (isStricter(permissions['mode'], modeBelow)) kept['mode'] = permissions['mode'];
  return kept;
}

function isStricter(mode: unknown, modeBelow: unknown): boolean {
  const wanted = strictness(mode);
  return wanted !== undefined && wanted < (strictness(modeBelow) ?? strictness('prompt') ?? 0);
}

/** 0 is the strictest; undefined for what is no mode. */
function strictness(mode: unknown): number | undefined {
  const known = typeof mode === 'string' ? parsePermissionMode(mode) : undefined;
  return known === undefined ? undefined : permissionModes.indexOf(known);
}

/** The mode that the layers below a project ask for. */
export function modeOf(value: SettingsObject): unknown {
  return valueAt(value, ['permissions', 'mode']) ?? value['permission_mode'];
}
