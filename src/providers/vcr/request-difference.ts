import type { JsonValue } from '#protocol/json.ts';

export type Difference = { path: string; recorded: string; now: string };

/** Fields that hold ids which are made anew in each session; the same one must stand in the same places. */
const idFields =
  /^(?:id|call_id|tool_call_id|tool_use_id|item_id|prompt_cache_key|user|user_id|session_id|safety_identifier)$/;
/** Ids of ours inside of texts. */
const ourIds = /(?<![0-9A-Z])0[0-7][0-9A-HJKMNP-TV-Z]{24}(?![0-9A-Z])/g;
const shownLength = 120;

type Comparison = {
  recordedFiles: string | undefined;
  files: string | undefined;
  /** Recorded id -> id now, and back. */
  ids: Map<string, string>;
  back: Map<string, string>;
};

/**
 * The first place where a request differs from the recorded one; undefined when it says the same. What the program
 * itself says is left out, since it changes with its version and the machine: the system prompt and the words of
 * the tools, but not their names. Ids may be others as long as they point to the same.
 */
export function requestDifference(
  recorded: JsonValue,
  now: JsonValue,
  folders: { recordedFiles: string | undefined; files: string | undefined },
): Difference | undefined {
  const comparison: Comparison = { ...folders, ids: new Map(), back: new Map() };
  return differ(withoutProgram(recorded), withoutProgram(now), { path: '', name: '', comparison });
}

type Place = { path: string; name: string; comparison: Comparison };

function differ(
  recorded: JsonValue | undefined,
  now: JsonValue | undefined,
  place: Place,
): Difference | undefined {
  if (typeof recorded === 'string' && typeof now === 'string') {
    return isSameText(recorded, now, place) ? undefined : differenceOfTexts(recorded, now, place);
  }
  if (Array.isArray(recorded) && Array.isArray(now)) {
    for (let index = 0; index < Math.max(recorded.length, now.length); index += 1) {
      const below = { ...place, path: `${place.path}[${index}]` };
      const found = differ(recorded[index], now[index], below);
      if (found) return found;
    }
    return undefined;
  }
  if (isObject(recorded) && isObject(now)) {
    for (const name of new Set([...Object.keys(recorded), ...Object.keys(now)])) {
      const path = place.path === '' ? name : `${place.path}.${name}`;
      const found = differ(recorded[name], now[name], { ...place, path, name });
      if (found) return found;
    }
    return undefined;
  }
  return recorded === now ? undefined : { path: place.path, recorded: shown(recorded), now: shown(now) };
}

function isSameText(recorded: string, now: string, { name, comparison }: Place): boolean {
  const { ids, back } = comparison;
  if (idFields.test(name)) {
    if (!ids.has(recorded) && !back.has(now)) {
      ids.set(recorded, now);
      back.set(now, recorded);
    }
    return ids.get(recorded) === now;
  }
  if (recorded === now) return true;
  return plain(recorded, comparison.recordedFiles) === plain(now, comparison.files);
}

function plain(text: string, files: string | undefined): string {
  const seen: string[] = [];
  const local = files === undefined ? text : text.replaceAll(files, '<files>');
  return local.replaceAll(ourIds, (id) => {
    if (!seen.includes(id)) seen.push(id);
    return `<id ${seen.indexOf(id)}>`;
  });
}

function differenceOfTexts(recorded: string, now: string, { path }: Place): Difference {
  let from = 0;
  while (from < recorded.length && recorded[from] === now[from]) from += 1;
  const start = Math.max(0, from - 20);
  return { path, recorded: shown(recorded.slice(start)), now: shown(now.slice(start)) };
}

function shown(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
}

/** The same request with its program texts taken out, whichever of the APIs it is for. */
function withoutProgram(body: JsonValue): JsonValue {
  if (!isObject(body)) return body;
  return Object.fromEntries(
    Object.entries(body).flatMap(([key, value]): [string, JsonValue][] => {
      if (/^(?:system|instructions|system_?instruction)$/i.test(key)) return [];
      if (key === 'tools') return [[key, toolNames(value)]];
      if ((key === 'messages' || key === 'input') && Array.isArray(value))
        return [[key, value.map((each) => (isSystem(each) ? { role: 'system' } : each))]];
      return [[key, value]];
    }),
  );
}

function isSystem(message: JsonValue): boolean {
  return isObject(message) && (message['role'] === 'system' || message['role'] === 'developer');
}

/** Every `name` below, in order: where it stands differs from API to API. */
function toolNames(value: JsonValue): JsonValue[] {
  if (Array.isArray(value)) return value.flatMap(toolNames);
  if (!isObject(value)) return [];
  const { name } = value;
  if (typeof name === 'string') return [name];
  return Object.values(value).flatMap(toolNames);
}

function isObject(value: JsonValue | undefined): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
