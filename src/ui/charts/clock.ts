/** The clock at a second of a run, in the reader's own writing; empty when it is not known when the run began. */
export function clockTime(startedAt: string | null, second: number, locale?: string): string {
  if (startedAt === null) return '';
  const moment = new Date(Date.parse(startedAt) + second * 1_000);
  return clockOf(locale).format(moment);
}

const clocks = new Map<string | undefined, Intl.DateTimeFormat>();

/** Made once for each locale: tables say hundreds of times. */
function clockOf(locale: string | undefined): Intl.DateTimeFormat {
  const made = clocks.get(locale) ?? new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
  clocks.set(locale, made);
  return made;
}
