import type { ToolCallPart } from '#protocol/message.ts';
import type { SdkToolOutput, SdkUserPart } from '../language-model.ts';
import { imageContent } from './images.ts';

type OutputRules = { canSee: boolean; toolImages: 'inline' | 'after' };

/** The result of a call, and the images that have to follow in a message of their own. */
export async function outputOf(
  part: ToolCallPart,
  rules: OutputRules,
): Promise<{ output: SdkToolOutput; after: SdkUserPart[] }> {
  const { result } = part;
  if (!result) {
    return {
      output: { type: 'error-text', value: 'The call was interrupted; it has no result.' },
      after: [],
    };
  }
  const parts: SdkUserPart[] = [];
  for (const content of result.forModel) {
    if (content.kind === 'image') parts.push(await imageContent(content, rules));
    else if (content.text.trim() !== '') parts.push({ type: 'text', text: content.text.toWellFormed() });
  }
  const images = parts.filter((content) => content.type === 'file');
  const text = parts.flatMap((content) => (content.type === 'text' ? [content.text] : [])).join('\n');
  if (images.length > 0 && rules.toolImages === 'inline') return { output: contentOf(parts), after: [] };
  const note = images.length > 0 ? `${text === '' ? '' : '\n'}(its images follow)` : '';
  const value = text + note || '(no output)';
  return {
    output: { type: result.status === 'ok' ? 'text' : 'error-text', value },
    after: images.length > 0 ? [{ type: 'text', text: `Images that ${part.tool} returned:` }, ...images] : [],
  };
}

function contentOf(parts: readonly SdkUserPart[]): SdkToolOutput {
  const value = parts.map((part) =>
    part.type === 'text'
      ? { type: 'text' as const, text: part.text }
      : { type: 'file' as const, mediaType: part.mediaType, data: part.data },
  );
  return { type: 'content', value };
}
