import { SETTINGS } from './env.server';

/** Returns the variables of this process whose names differ from a setting's only in case, underscores or one letter. */
export function misspelledSettings(names = Object.keys(process.env)): { name: string; meant: string }[] {
  return names
    .filter((name) => !SETTINGS.includes(name))
    .flatMap((name) => {
      const meant = SETTINGS.find((setting) => isSimilar(letters(name), letters(setting)));
      return meant ? [{ name, meant }] : [];
    });
}

const letters = (name: string) => name.toUpperCase().replaceAll(/[^A-Z]/g, '');

/** Returns whether at most one letter was added, removed, replaced or swapped with the next one. */
function isSimilar(name: string, setting: string): boolean {
  const shorter = Math.min(name.length, setting.length);
  let start = 0;
  while (start < shorter && name[start] === setting[start]) start += 1;
  let end = 0;
  while (end < shorter - start && name.at(-1 - end) === setting.at(-1 - end)) end += 1;
  const typed = name.slice(start, name.length - end);
  const meant = setting.slice(start, setting.length - end);
  const isSwapped = meant.length === 2 && typed === `${meant[1]}${meant[0]}`;
  return isSwapped || Math.max(typed.length, meant.length) <= 1;
}
