/** A journey that is walked once, to see what is sent and what comes back. */
export const TRIED = {
  title: 'Try the journey once',
  good: 'The journey went well to its end.',
  bad: 'The journey did not go well.',
  nothingSent: 'Nothing was sent.',
  nothingReceived: 'Nothing came back.',
} as const;
