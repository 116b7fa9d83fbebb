import { createContext, use } from 'react';
import { fallbackTheme, type Theme } from './theme.ts';

export const ThemeContext = createContext<Theme>(fallbackTheme({ colorLevel: 'none' }));

export function useTheme(): Theme {
  return use(ThemeContext);
}
