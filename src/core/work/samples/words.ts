/** Texts of a trial. */
export const TRIED = {
  title: 'Try the journey once',
  good: 'One user ran every step, and each response was as expected.',
  bad: 'One user could not run every step as expected. A load would fail in the same way.',
  nothingSent: 'Nothing was sent.',
  nothingReceived: 'Nothing came back.',
} as const;

/** Marks a reason as a quotation from the server. */
export function serverSays(words: string): string {
  return `The server says: “${words}”`;
}
