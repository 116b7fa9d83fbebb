import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { writePrivateFile } from '#lib/atomic-file.ts';
import { log } from '#lib/log.ts';
import type { ImagePart, Message, MessagePart, ToolContent, ToolResult } from '#protocol/message.ts';

type HasSource = { mediaType: string; source: ImagePart['source'] };

/**
 * Moves an inline image into a file of the thread, named by its content. It stays inline where no file can be
 * written (`filesDir` null, a full disk): the conversation is worth more than a short log.
 */
export async function imageToFile<Image extends HasSource>(
  image: Image,
  filesDir: string | null,
): Promise<Image> {
  if (image.source.kind === 'file' || filesDir === null) return image;
  const bytes = Buffer.from(image.source.base64, 'base64');
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 24);
  const name = `image-${hash}.${extensionOf(image.mediaType)}`;
  try {
    await writePrivateFile(path.join(filesDir, name), bytes);
  } catch (error) {
    log('an image stays in the log:', error);
    return image;
  }
  return { ...image, source: { kind: 'file', path: name } };
}

export async function resultImagesToFiles<Result extends ToolResult>(
  result: Result,
  filesDir: string | null,
): Promise<Result> {
  if (!result.forModel.some((content) => content.kind === 'image')) return result;
  const forModel = await Promise.all(
    result.forModel.map((content) => (content.kind === 'image' ? imageToFile(content, filesDir) : content)),
  );
  return { ...result, forModel };
}

/** The message with every image inline; an image whose file is gone becomes a text that says so. */
export async function withInlineImages(message: Message, filesDir: string): Promise<Message> {
  const parts = await Promise.all(
    message.parts.map(async (part): Promise<MessagePart> => {
      if (part.kind === 'image') {
        const content = await inlineImage(part, filesDir);
        return content.kind === 'image'
          ? { ...part, ...content }
          : { kind: 'text', id: part.id, text: content.text };
      }
      if (part.kind !== 'tool-call' || !part.result) return part;
      const forModel = await Promise.all(
        part.result.forModel.map((content) =>
          content.kind === 'image' ? inlineImage(content, filesDir) : content,
        ),
      );
      return { ...part, result: { ...part.result, forModel } };
    }),
  );
  return { ...message, parts };
}

export function hasFileImages(message: Message): boolean {
  return message.parts.some(hasFileImage);
}

function hasFileImage(part: MessagePart): boolean {
  if (part.kind === 'image') return part.source.kind === 'file';
  if (part.kind !== 'tool-call') return false;
  return (
    part.result?.forModel.some((content) => content.kind === 'image' && content.source.kind === 'file') ??
    false
  );
}

async function inlineImage(
  image: HasSource & { name?: string | undefined },
  filesDir: string,
): Promise<ToolContent> {
  const { mediaType, source } = image;
  const name = image.name === undefined ? {} : { name: image.name };
  if (source.kind === 'inline') return { kind: 'image', mediaType, ...name, source };
  try {
    // Only the file's own name counts: a log must not point out of its folder.
    const bytes = await readFile(path.join(filesDir, path.basename(source.path)));
    return {
      kind: 'image',
      mediaType,
      ...name,
      source: { kind: 'inline', base64: bytes.toString('base64') },
    };
  } catch {
    return { kind: 'text', text: `[an image stood here (${image.name ?? source.path}); its file is gone]` };
  }
}

function extensionOf(mediaType: string): string {
  return /^image\/([a-z0-9]+)/.exec(mediaType)?.[1]?.replace('jpeg', 'jpg') ?? 'bin';
}
