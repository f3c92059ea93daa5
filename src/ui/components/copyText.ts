/** Copies a text. Returns false where the browser refuses the clipboard, or has none because the page is not served securely. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
