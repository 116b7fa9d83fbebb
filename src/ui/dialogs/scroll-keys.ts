import type { KeyPress } from '../input/key-press.ts';
import { keyName } from '../input/keymap.ts';
import type { KeyScene } from './dialog-step.ts';

/**
 * Where a scrolled part stands after a key; undefined when the key does not scroll, or all of the part is in view:
 * then the transcript may scroll. `arrows`: they are free for it.
 */
export function scrollByKey(
  scroll: number,
  key: KeyPress,
  { scene, arrows }: { scene: KeyScene; arrows: boolean },
): number | undefined {
  const { maxScroll } = scene;
  if (maxScroll === 0) return undefined;
  const page = Math.max(1, scene.pageRows - 1);
  const within = (next: number) => Math.max(0, Math.min(maxScroll, next));
  switch (keyName(key)) {
    case 'pageup':
    case 'shift+up':
      return within(scroll - (key.name === 'up' ? 1 : page));
    case 'pagedown':
    case 'shift+down':
      return within(scroll + (key.name === 'down' ? 1 : page));
    case 'up':
      return arrows ? within(scroll - 1) : undefined;
    case 'down':
      return arrows ? within(scroll + 1) : undefined;
    case 'home':
      return arrows ? 0 : undefined;
    case 'end':
      return arrows ? maxScroll : undefined;
    default:
      return undefined;
  }
}
