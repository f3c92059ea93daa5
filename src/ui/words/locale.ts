/** The language of the catalogue. Numbers and dates are written in it too, so that a field and the sentence about it agree. */
export const LOCALE = 'en-US';
