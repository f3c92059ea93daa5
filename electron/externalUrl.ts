import { shell } from 'electron';
import { parseUrl } from './page.ts';

/**
 * Returns whether an address may be passed to the operating system. Only addresses of web pages may be, because others (`file:`, `smb:`,
 * schemes of apps) can start programs. Addresses with credentials or control characters are refused too, because they have no legitimate
 * use here.
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

/** Opens an address outside of the app. Nothing else in the app does so. Returns whether the address was opened. */
export async function openExternal(address: string): Promise<boolean> {
  if (!isSafeExternalUrl(address)) return false;
  // oxlint-disable-next-line no-restricted-properties -- this file checks the address
  return await shell.openExternal(address).then(
    () => true,
    () => false,
  );
}
