/**
 * Reads the times of k6's samples (RFC 3339 with up to nine digits of a second, in the zone of the machine) as microseconds since 1970. Samples come in
 * order of time, so the whole seconds of the last one are remembered.
 */
export class SampleTime {
  private seconds = '';
  private zone = '';
  private secondsUs = 0;

  /** null when the text is no such time. */
  read(text: string): number | null {
    const parts = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(text);
    if (parts === null) return null;
    const [, seconds = '', fraction = '', zone = ''] = parts;
    if (seconds !== this.seconds || zone !== this.zone) {
      const ms = Date.parse(`${seconds}${zone}`);
      if (Number.isNaN(ms)) return null;
      this.seconds = seconds;
      this.zone = zone;
      this.secondsUs = ms * 1_000;
    }
    return this.secondsUs + Math.floor(Number(fraction.padEnd(9, '0')) / 1_000);
  }
}
