import { buildWordTable } from './wordTable.ts';
import { WordListReader } from './wordListReader.ts';

const OPTIONS = buildWordTable(['close', 'keep-alive', 'upgrade']);
const CLOSE = 0;
const KEEP_ALIVE = 1;
const UPGRADE = 2;

/** Reads whether Connection and Proxy-Connection contain `close`, `keep-alive` or `upgrade`. */
export class ConnectionReader extends WordListReader {
  close = false;
  keepAlive = false;
  upgrade = false;

  constructor() {
    super(OPTIONS);
  }

  reset(): void {
    this.close = false;
    this.keepAlive = false;
    this.upgrade = false;
  }

  protected override take(word: number): null {
    if (word === CLOSE) this.close = true;
    if (word === KEEP_ALIVE) this.keepAlive = true;
    if (word === UPGRADE) this.upgrade = true;
    return null;
  }
}
