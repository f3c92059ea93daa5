import {
  createIndex,
  dropIndex,
  dropSpareColumn,
  fill,
  PORTION_COUNT,
  findRespondents,
  respondentsInPortions,
  readResponses,
  streamRows,
  type ResponseFilter,
} from './data.ts';
import type { Database, Row } from './database.ts';
import { BLOCK_BYTES, type Machine } from './machine.ts';
import type { Values } from './options.ts';

const STREAMS_TABLE = 'observer_stream_data';
const RESPONSES_TABLE = 'survey_response';

/**
 * The tables as a machine reads them. To read rows, the machine loads the blocks that contain them. Changes of the tables change which
 * blocks these are.
 */
export class Tables {
  private readonly database: Database;
  private hasIndex: boolean;
  private hasSpareColumn: boolean;
  private isInPortions: boolean;
  private streamBlocks = 0;
  private lastStreamId = 0;
  private responseBlocks = 0;

  private constructor(database: Database, values: Values) {
    this.database = database;
    this.hasIndex = values.index;
    this.hasSpareColumn = values['spare-column-bytes'] > 0;
    this.isInPortions = values['list-query'] === 'portions';
  }

  /** Creates and fills the tables. */
  static async make(database: Database, values: Values): Promise<Tables> {
    await fill(database, values);
    const tables = new Tables(database, values);
    await tables.measure();
    return tables;
  }

  /** Numbers of blocks, by name of the gauge. */
  get blocks(): Readonly<Record<string, number>> {
    return { 'blocks of streams': this.streamBlocks, 'blocks of responses': this.responseBlocks };
  }

  async createIndex(): Promise<void> {
    await createIndex(this.database);
    this.hasIndex = true;
  }

  async dropIndex(): Promise<void> {
    await dropIndex(this.database);
    this.hasIndex = false;
  }

  async putInOrder(): Promise<void> {
    await this.database.reorganize(RESPONSES_TABLE);
    await this.measure();
  }

  async dropSpareColumn(): Promise<void> {
    if (!this.hasSpareColumn) return;
    await dropSpareColumn(this.database);
    this.hasSpareColumn = false;
    await this.measure();
  }

  rewriteQuery(): void {
    this.isInPortions = false;
  }

  /** Returns rows of a stream. With the index, only the blocks of these rows are read; without the index, all blocks are. */
  async streamRows(machine: Machine, userId: number, link: number, skip: number, limit: number): Promise<Row[]> {
    const rows = await streamRows(this.database, userId, link, skip, limit);
    const blockIndexes = rows.map(({ id }) => Math.floor(((Number(id) - 1) / this.lastStreamId) * this.streamBlocks));
    await machine.read(STREAMS_TABLE, this.hasIndex ? new Set(blockIndexes) : allBlocks(this.streamBlocks));
    return rows.map(({ id: _id, ...row }) => row);
  }

  async respondents(machine: Machine, campaignId: number): Promise<number[]> {
    for (let query = 0; query < (this.isInPortions ? PORTION_COUNT : 1); query += 1) await this.readResponses(machine);
    return this.isInPortions ? respondentsInPortions(this.database, campaignId) : findRespondents(this.database, campaignId);
  }

  async responses(machine: Machine, campaignId: number, filter: ResponseFilter, skip: number, limit: number): Promise<Row[]> {
    await this.readResponses(machine);
    return readResponses(this.database, campaignId, filter, skip, limit);
  }

  private async readResponses(machine: Machine): Promise<void> {
    await machine.read(RESPONSES_TABLE, allBlocks(this.responseBlocks));
  }

  private async measure(): Promise<void> {
    const getBlocks = async (table: string): Promise<number> => Math.ceil((await this.database.bytesOf(table)) / BLOCK_BYTES);
    this.streamBlocks = await getBlocks(STREAMS_TABLE);
    this.responseBlocks = await getBlocks(RESPONSES_TABLE);
    const [last] = await this.database.query(`SELECT max(id) AS id FROM ${STREAMS_TABLE}`);
    this.lastStreamId = Number(last?.['id'] ?? 0);
  }
}

function* allBlocks(blocks: number): Iterable<number> {
  for (let block = 0; block < blocks; block += 1) yield block;
}
