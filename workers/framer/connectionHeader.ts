import { COMMA } from './bytes.ts';
import type { Refusal } from './refusals.ts';
import { isBlank, type ValueReader } from './valueReader.ts';
import { buildWordTable, NODE_ROOT } from './wordTable.ts';

const OPTIONS = buildWordTable(['close', 'keep-alive', 'upgrade']);
const CLOSE = 0;
const KEEP_ALIVE = 1;
const UPGRADE = 2;
const NO_WORD = -1;

const AT_START = 0;
const IN_WORD = 1;
const AFTER_WORD = 2;
const IN_OTHER = 3;

/** Connection and Proxy-Connection: whether `close`, `keep-alive` or `upgrade` is among the options. */
export class ConnectionReader implements ValueReader {
  close = false;
  keepAlive = false;
  upgrade = false;
  private at = AT_START;
  private node = NODE_ROOT;
  private word = NO_WORD;

  reset(): void {
    this.close = false;
    this.keepAlive = false;
    this.upgrade = false;
  }

  begin(): Refusal | null {
    this.startOption();
    return null;
  }

  byte(byte: number): Refusal | null {
    if (byte === COMMA) {
      this.endOption();
      this.startOption();
      return null;
    }
    switch (this.at) {
      case AT_START:
        if (!isBlank(byte)) this.match(byte);
        break;
      case IN_WORD:
        this.match(byte);
        break;
      case AFTER_WORD:
        if (!isBlank(byte)) this.giveUp();
        break;
      default:
        break;
    }
    return null;
  }

  end(): Refusal | null {
    this.endOption();
    return null;
  }

  private match(byte: number): void {
    this.node = OPTIONS.next[(this.node << 8) | byte] ?? 0;
    if (this.node <= NODE_ROOT) {
      this.giveUp();
      return;
    }
    this.word = OPTIONS.wordAt[this.node] ?? NO_WORD;
    this.at = this.word === NO_WORD ? IN_WORD : AFTER_WORD;
  }

  private giveUp(): void {
    this.at = IN_OTHER;
    this.word = NO_WORD;
  }

  private startOption(): void {
    this.at = AT_START;
    this.node = NODE_ROOT;
    this.word = NO_WORD;
  }

  private endOption(): void {
    if (this.word === CLOSE) this.close = true;
    if (this.word === KEEP_ALIVE) this.keepAlive = true;
    if (this.word === UPGRADE) this.upgrade = true;
  }
}
