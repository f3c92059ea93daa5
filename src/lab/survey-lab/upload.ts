import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { CAMPAIGNS, type Upload } from './data.ts';
import { failureReply, type Reply } from './protocol.ts';

export const NO_CAMPAIGN = 'The campaign does not exist.';

/** The data that a phone sends for each completed survey. */
const surveySchema = z.object({
  survey_key: z.uuid(),
  time: z.number(),
  timezone: z.string(),
  survey_id: z.string(),
  survey_launch_context: z.object({ launch_time: z.number(), launch_timezone: z.string(), active_triggers: z.array(z.unknown()) }),
  location_status: z.enum(['valid', 'stale', 'inaccurate', 'gps_off', 'unavailable']),
  location: z.object({ latitude: z.number(), longitude: z.number() }).optional(),
  responses: z.array(z.object({ prompt_id: z.string(), value: z.union([z.string(), z.number()]) })).max(1_000),
});

/** A prompt whose name matches is a photo. Its value names the part of the form that contains the photo. */
const PHOTO_PROMPT = /photo/i;
const NO_PHOTO = new Set(['SKIPPED', 'NOT_DISPLAYED']);
const uuidSchema = z.uuid();

export interface Photo {
  readonly uuid: string;
  readonly file: File;
}

export interface ParsedUpload {
  readonly uploads: readonly Upload[];
  readonly photos: readonly Photo[];
}

/** Parses a form. Returns a failure reply if the form is invalid. */
export async function parseUpload(form: FormData, userId: number, client: string): Promise<ParsedUpload | Reply> {
  const campaignId = CAMPAIGNS.findIndex(({ urn }) => urn === form.get('campaign_urn'));
  const campaign = CAMPAIGNS[campaignId];
  if (!campaign) return failureReply('0700', NO_CAMPAIGN);
  if (form.get('campaign_creation_timestamp') !== campaign.created)
    return failureReply('0710', "The given timestamp is not the same as the campaign's creation timestamp.");
  const surveys = z.array(surveySchema).safeParse(jsonOf(form.get('surveys')));
  if (!surveys.success) return failureReply('0600', `The surveys cannot be read: ${z.prettifyError(surveys.error)}`);
  const photos: Photo[] = [];
  for (const { responses } of surveys.data)
    for (const { prompt_id: prompt, value } of responses) {
      if (!PHOTO_PROMPT.test(prompt) || NO_PHOTO.has(String(value))) continue;
      // Only a valid UUID is accepted, because the value becomes a file name.
      const uuid = uuidSchema.safeParse(value);
      const file = uuid.success ? form.get(uuid.data) : null;
      if (!uuid.success || !(file instanceof File))
        return failureReply('0600', `An image was missing for a photo prompt response: ${String(value)}`);
      if (photos.some((other) => other.uuid === uuid.data))
        return failureReply('0803', 'A duplicate image key was detected in the upload.');
      if (file.type !== 'image/jpeg' || !isJpeg(Buffer.from(await file.arrayBuffer())))
        return failureReply('0803', 'The image data was not valid image data.');
      photos.push({ uuid: uuid.data, file });
    }
  const uploads = surveys.data.map((survey) => ({
    uuid: survey.survey_key,
    userId,
    campaignId,
    client,
    epochMs: Math.round(survey.time),
    timezone: survey.timezone,
    surveyId: survey.survey_id,
    survey: JSON.stringify(survey),
    prompts: survey.responses.map(({ prompt_id: id, value }) => ({ id, response: String(value) })),
  }));
  return { uploads, photos };
}

function jsonOf(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return null;
  }
}

/** Sizes in bytes of the two smaller pictures in the report. Here they are only files of these sizes, because no image is scaled. */
const SMALL_BYTES = 3_175;
const ICON_BYTES = 2_632;

/**
 * Stores photos on disk, each with two smaller versions. The smaller versions are made during the upload, or afterwards for one photo after
 * the other.
 */
export class Photos {
  private readonly directory: string;
  private readonly laterMs: number | null;
  private readonly waiting: { readonly uuid: string; readonly bytes: Buffer }[] = [];
  private timer: NodeJS.Timeout | null = null;

  /** `laterMs` is the time that it takes to make the smaller versions after the upload; null makes them during the upload. */
  constructor(directory: string, laterMs: number | null) {
    this.directory = directory;
    this.laterMs = laterMs;
  }

  /** Number of photos that still lack their smaller versions. */
  get unfinished(): number {
    return this.waiting.length;
  }

  async store(photos: readonly Photo[]): Promise<void> {
    await mkdir(this.directory, { recursive: true });
    for (const { uuid, file } of photos) {
      const bytes = Buffer.from(await file.arrayBuffer());
      await writeFile(join(this.directory, `${uuid}.jpg`), bytes);
      if (this.laterMs === null) await this.writeThumbnails(uuid, bytes);
      else this.waiting.push({ uuid, bytes });
    }
    this.scheduleNext();
  }

  close(): void {
    if (this.timer !== null) clearTimeout(this.timer);
  }

  private scheduleNext(): void {
    if (this.timer !== null || this.waiting.length === 0 || this.laterMs === null) return;
    this.timer = setTimeout(() => void this.takeNext(), this.laterMs);
  }

  /**
   * Makes the smaller versions of the next photo. A photo that is too small fails, and is tried again after the others, endlessly, as in
   * ohmage.
   */
  private async takeNext(): Promise<void> {
    const [first] = this.waiting;
    if (first !== undefined && first.bytes.length > SMALL_BYTES) {
      await this.writeThumbnails(first.uuid, first.bytes);
      this.waiting.shift();
    } else if (first !== undefined) this.waiting.push(...this.waiting.splice(0, 1));
    this.timer = null;
    this.scheduleNext();
  }

  private async writeThumbnails(uuid: string, bytes: Buffer): Promise<void> {
    const files = { [`${uuid}-small.jpg`]: bytes.subarray(0, SMALL_BYTES), [`${uuid}-icon.jpg`]: bytes.subarray(0, ICON_BYTES) };
    await Promise.all(Object.entries(files).map(([name, content]) => writeFile(join(this.directory, name), content)));
  }
}

/** Markers that have no length field, as defined by ITU-T T.81. */
const [START, END, FIRST_RESTART, LAST_RESTART] = [0xd8, 0xd9, 0xd0, 0xd7];
const SCAN = 0xda;
/** Returns whether a marker starts a frame of any kind. C4 and CC start tables instead, and C8 is reserved. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/**
 * Returns whether these bytes have the structure of a complete JPEG: a frame with pixels, tables, and nothing after the image data. The
 * image data is not decoded.
 */
export function isJpeg(bytes: Buffer): boolean {
  if (bytes.length < 4 || bytes[0] !== 0xff || bytes[1] !== START) return false;
  let at = 2;
  let hasFrame = false;
  for (;;) {
    if (at + 4 > bytes.length || bytes[at] !== 0xff) return false;
    const marker = bytes[at + 1] ?? 0;
    const length = bytes.readUInt16BE(at + 2);
    const end = at + 2 + length;
    if (length < 2 || end > bytes.length) return false;
    if (isFrame(marker)) {
      if (length < 8 || bytes.readUInt16BE(at + 5) === 0 || bytes.readUInt16BE(at + 7) === 0) return false;
      hasFrame = true;
    }
    at = end;
    if (marker !== SCAN) continue;
    at = endOfScan(bytes, at);
    if (!hasFrame || at + 2 > bytes.length) return false;
    if (bytes[at + 1] === END) return at + 2 === bytes.length;
  }
}

/** Returns the position of the marker after the data of a scan. In the data, a byte of 255 is followed by 0 or by a restart marker. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 2)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && (next < FIRST_RESTART || next > LAST_RESTART)) return at;
  }
  return bytes.length;
}
