/** What a person reads, and what later requests hold values of. */
const KEPT = /html|json|text\/plain|xml|event-stream/i;
const LONGEST_ANSWER = 9_000;
const LONGEST_REQUEST = 20_000;

type Block = Record<string, unknown>;

/**
 * A recording without the contents of pictures, styles, scripts and long answers, one entry on each line. Everything else stays as the browser wrote it.
 * @throws when the text is no HAR
 */
export function trimmedHar(text: string): string {
  const { log } = blockOf(JSON.parse(text));
  const { entries, ...head } = blockOf(log);
  if (!Array.isArray(entries)) throw new Error('The recording has no entries.');
  for (const entry of entries.map(blockOf)) {
    trimAnswer(blockOf(blockOf(entry['response'])['content']));
    const { postData } = blockOf(entry['request']);
    if (postData !== undefined) trimLong(blockOf(postData), LONGEST_REQUEST);
  }
  const lines = entries.map((entry) => JSON.stringify(entry));
  return `{"log":{${JSON.stringify(head).slice(1, -1)},"entries":[\n${lines.join(',\n')}\n]}}\n`;
}

function trimAnswer(content: Block): void {
  if (KEPT.test(String(content['mimeType'] ?? '')) && content['encoding'] !== 'base64') trimLong(content, LONGEST_ANSWER);
  else {
    delete content['text'];
    delete content['encoding'];
  }
}

function trimLong(holder: Block, longest: number): void {
  const { text } = holder;
  if (typeof text === 'string' && text.length > longest) delete holder['text'];
}

function blockOf(value: unknown): Block {
  if (!isBlock(value)) throw new Error('The recording is no HAR.');
  return value;
}

function isBlock(value: unknown): value is Block {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
