/** The page's own address inside the app, and where it starts. */
export const pageScheme = 'app';
export const pageHost = 'holdfast';
export const pageStart = `${pageScheme}://${pageHost}/`;

/** Whether an address is the page's own: the only one that may be loaded, and the only one that may talk to us. */
export function isPageUrl(address: string): boolean {
  const url = parseUrl(address);
  return url !== null && url.protocol === `${pageScheme}:` && url.host === pageHost && url.username === '' && url.password === '';
}

/** The parsed address, or null for what is none. */
export function parseUrl(address: string): URL | null {
  try {
    return new URL(address);
  } catch {
    return null;
  }
}

/** What is known of the frame that sent a message. */
export interface Frame {
  readonly url: string;
  readonly parent: unknown;
}

/** Whether a message comes from the main frame of our own page; a frame that is gone already is none. */
export function isPageFrame(frame: Frame | null | undefined): boolean {
  return frame !== null && frame !== undefined && frame.parent === null && isPageUrl(frame.url);
}
