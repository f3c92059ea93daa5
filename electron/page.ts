/** The address of the page inside the app. */
export const pageScheme = 'app';
export const pageHost = 'holdfast';
export const pageStart = `${pageScheme}://${pageHost}/`;

/** Returns whether an address is that of Holdfast's page. Only this address may be loaded and may send messages to the shell. */
export function isPageUrl(address: string): boolean {
  const url = parseUrl(address);
  return url !== null && url.protocol === `${pageScheme}:` && url.host === pageHost && url.username === '' && url.password === '';
}

/** Returns the parsed address, or null if it is invalid. */
export function parseUrl(address: string): URL | null {
  try {
    return new URL(address);
  } catch {
    return null;
  }
}

/** The frame that sent a message. */
export interface Frame {
  readonly url: string;
  readonly parent: unknown;
}

/** Returns whether a message comes from the main frame of Holdfast's own page. Returns false for a destroyed frame. */
export function isPageFrame(frame: Frame | null | undefined): boolean {
  return frame !== null && frame !== undefined && frame.parent === null && isPageUrl(frame.url);
}
