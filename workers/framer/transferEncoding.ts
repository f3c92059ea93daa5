import { COMMA, SP } from './bytes.ts';
import type { Refusal } from './refusals.ts';
import { isBlank, type ValueReader } from './valueReader.ts';
import { buildWordTable, NODE_ROOT } from './wordTable.ts';

const CHUNKED = buildWordTable(['chunked']);
const ELEMENT_START = 0;
const ELEMENT_CHUNKED = 1;
const ELEMENT_OTHER = 2;
const ELEMENT_BLANKS = 3;

/** Transfer-Encoding: the body is chunked when `chunked` is the last coding; any other last coding reaches until the close. */
export class TransferEncodingReader implements ValueReader {
  present = false;
  chunked = false;
  private at = ELEMENT_START;
  private node = NODE_ROOT;

  reset(): void {
    this.present = false;
    this.chunked = false;
  }

  begin(): Refusal | null {
    this.present = true;
    this.chunked = false;
    this.startElement();
    return null;
  }

  byte(byte: number): Refusal | null {
    switch (this.at) {
      case ELEMENT_START: {
        const node = CHUNKED.next[(this.node << 8) | byte] ?? 0;
        this.node = node;
        if (node > NODE_ROOT) {
          if (CHUNKED.wordAt[node] === 0) this.at = ELEMENT_CHUNKED;
        } else this.other(byte);
        break;
      }
      case ELEMENT_CHUNKED:
        if (byte !== SP) this.other(byte);
        break;
      case ELEMENT_BLANKS:
        if (isBlank(byte)) break;
        this.startElement();
        return this.byte(byte);
      default:
        this.other(byte);
    }
    return null;
  }

  end(): Refusal | null {
    this.chunked = this.at === ELEMENT_CHUNKED;
    return null;
  }

  private startElement(): void {
    this.at = ELEMENT_START;
    this.node = NODE_ROOT;
  }

  private other(byte: number): void {
    this.at = byte === COMMA ? ELEMENT_BLANKS : ELEMENT_OTHER;
  }
}
