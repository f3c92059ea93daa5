import { shell } from 'electron';
import { parseUrl } from './page.ts';

/**
 * Whether an address may be handed to the operating system: web pages only. Anything else (`file:`, `smb:`, an app's own scheme)
 * can start programs, and credentials or control characters in it have no honest use.
 */
export function isSafeExternalUrl(address: string): boolean {
  if (address.length > 2_048 || hasControlCharacter(address)) return false;
  const url = parseUrl(address);
  if (!url) return false;
  const { protocol, username, password, hostname } = url;
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '' && hostname !== '';
}

function hasControlCharacter(text: string): boolean {
  return [...text].some((character) => character <= ' ' || character === '\u007F');
}

/** The one door out of the app. Says whether it opened. */
export async function openExternal(address: string): Promise<boolean> {
  if (!isSafeExternalUrl(address)) return false;
  return await shell.openExternal(address).then(
    () => true,
    () => false,
  );
}
