/** A part of an address without its percent-encoding (RFC 3986, 2.1); as it is where it is not encoded well. */
export function percentDecoded(text: string): string {
  return decoded(text, text);
}

/** The same of a name or a value of a query, where a + stands for a blank. */
export function queryDecoded(text: string): string {
  return decoded(text.replaceAll('+', ' '), text);
}

function decoded(encoded: string, otherwise: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return otherwise;
  }
}
