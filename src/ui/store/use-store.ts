import { useRef, useSyncExternalStore } from 'react';
import type { ThreadState } from '#protocol/thread-state.ts';
import type { UiStore } from './ui-store.ts';
import type { ViewState } from './view-state.ts';

export type StoreState = { thread: ThreadState; view: ViewState };

/**
 * A part of the store. Select as little as possible: the component renders again only when the selected value
 * changes. A selector that builds an object needs `isEqual`, e.g. `hasEqualFields`.
 */
export function useStore<Selected>(
  store: UiStore,
  selector: (state: StoreState) => Selected,
  isEqual: (a: Selected, b: Selected) => boolean = Object.is,
): Selected {
  const last = useRef<{ value: Selected } | undefined>(undefined);
  const read = () => {
    const value = selector({ thread: store.getThread(), view: store.getView() });
    if (last.current && isEqual(last.current.value, value)) return last.current.value;
    last.current = { value };
    return value;
  };
  return useSyncExternalStore(store.subscribe, read, read);
}

/** True when both objects have the same values under the same keys. */
export function hasEqualFields<T extends object>(a: T, b: T): boolean {
  const keys = Object.keys(a) as (keyof T)[];
  return keys.length === Object.keys(b).length && keys.every((key) => Object.is(a[key], b[key]));
}
