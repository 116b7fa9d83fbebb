import { readFile } from 'node:fs/promises';
import type { ToolContent } from '#protocol/message.ts';
import type { SdkUserPart } from '../language-model.ts';

type Image = Omit<Extract<ToolContent, { kind: 'image' }>, 'kind'>;

/** What every vendor with eyes can read. */
const readable = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** The image for a model, or words in its place when the model or the disk does not have it. */
export async function imageContent(image: Image, { canSee }: { canSee: boolean }): Promise<SdkUserPart> {
  const name = image.name ? ` ${image.name}` : '';
  const missing = (why: string): SdkUserPart => ({ type: 'text', text: `[image${name} left out: ${why}]` });
  if (!canSee) return missing('this model cannot see images');
  if (!readable.includes(image.mediaType)) return missing(`${image.mediaType} is not supported`);
  const base64 = await base64Of(image.source);
  if (base64 === undefined || base64 === '') return missing('its file is gone');
  return { type: 'file', mediaType: image.mediaType, data: { type: 'data', data: base64 } };
}

async function base64Of(source: Image['source']): Promise<string | undefined> {
  if (source.kind === 'inline') return source.base64;
  try {
    return (await readFile(source.path)).toString('base64');
  } catch {
    return undefined; // The person may have cleaned up; the conversation goes on without it.
  }
}
