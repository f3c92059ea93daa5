/** A decoder of OTLP metrics (opentelemetry/proto/metrics/v1/metrics.proto), independent of the encoder that Holdfast uses. */

type Fields = ReadonlyMap<number, readonly (bigint | Uint8Array)[]>;

export interface DecodedPoint {
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly startMs: number;
  readonly atMs: number;
  /** Value of a sum. */
  readonly value?: number;
  readonly histogram?: {
    readonly count: number;
    readonly sum: number;
    readonly min: number;
    readonly max: number;
    readonly scale: number;
    readonly zeroCount: number;
    readonly offset: number;
    readonly counts: readonly number[];
  };
}

export interface DecodedMetric {
  readonly name: string;
  readonly unit: string;
  readonly isCumulative: boolean;
  readonly isMonotonic: boolean;
  readonly points: readonly DecodedPoint[];
}

export interface DecodedExport {
  readonly resource: Readonly<Record<string, string | number | boolean>>;
  readonly metrics: ReadonlyMap<string, DecodedMetric>;
}

const CUMULATIVE = 2n;

/** Decodes the body of an export with one resource and one scope. */
export function decodeMetrics(body: Uint8Array): DecodedExport {
  const resourceMetrics = message(read(body), 1);
  const scope = message(resourceMetrics, 2);
  const metrics = messages(scope, 2).map(decodeMetric);
  return {
    resource: decodeAttributes(messages(message(resourceMetrics, 1), 1)),
    metrics: new Map(metrics.map((metric) => [metric.name, metric])),
  };
}

function decodeMetric(metric: Fields): DecodedMetric {
  const isHistogram = metric.has(10);
  const data = message(metric, isHistogram ? 10 : 7);
  return {
    name: text(metric, 1),
    unit: text(metric, 3),
    isCumulative: number(data, 2) === CUMULATIVE,
    isMonotonic: !isHistogram && number(data, 3) === 1n,
    points: messages(data, 1).map(isHistogram ? decodeHistogram : decodeNumber),
  };
}

function decodeNumber(point: Fields): DecodedPoint {
  const value = point.has(4) ? double(point, 4) : Number(BigInt.asIntN(64, number(point, 6)));
  return { attributes: decodeAttributes(messages(point, 7)), ...readTimes(point), value };
}

function decodeHistogram(point: Fields): DecodedPoint {
  const buckets = message(point, 8);
  const [packed] = buckets.get(2) ?? [];
  return {
    attributes: decodeAttributes(messages(point, 1)),
    ...readTimes(point),
    histogram: {
      count: Number(number(point, 4)),
      sum: double(point, 5),
      scale: zigzag(number(point, 6)),
      zeroCount: Number(number(point, 7)),
      min: double(point, 12),
      max: double(point, 13),
      offset: zigzag(number(buckets, 1)),
      counts: packed instanceof Uint8Array ? readVarints(packed) : [],
    },
  };
}

function readTimes(point: Fields): Pick<DecodedPoint, 'startMs' | 'atMs'> {
  return { startMs: Number(number(point, 2) / 1_000_000n), atMs: Number(number(point, 3) / 1_000_000n) };
}

function decodeAttributes(pairs: readonly Fields[]): Record<string, string | number | boolean> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const value = message(pair, 2);
      if (value.has(2)) return [text(pair, 1), number(value, 2) === 1n];
      if (value.has(3)) return [text(pair, 1), Number(BigInt.asIntN(64, number(value, 3)))];
      return [text(pair, 1), value.has(4) ? double(value, 4) : text(value, 1)];
    }),
  );
}

/** Reads the fields of a message. Throws a RangeError for bytes that are not a message. */
function read(bytes: Uint8Array): Fields {
  const fields = new Map<number, (bigint | Uint8Array)[]>();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let position = 0;
  const varint = (): bigint => {
    const [value, next] = readVarint(bytes, position);
    position = next;
    return value;
  };
  while (position < bytes.length) {
    const tag = Number(varint());
    const values = fields.get(tag >> 3) ?? [];
    fields.set(tag >> 3, values);
    const wire = tag & 7;
    if (wire === 0) values.push(varint());
    else if (wire === 1) {
      values.push(view.getBigUint64(position, true));
      position += 8;
    } else if (wire === 2) {
      const length = Number(varint());
      if (position + length > bytes.length) throw new RangeError('A field is longer than its message.');
      values.push(bytes.subarray(position, position + length));
      position += length;
    } else throw new RangeError(`The wire type ${wire} does not occur in OTLP.`);
  }
  return fields;
}

function readVarint(bytes: Uint8Array, from: number): [value: bigint, next: number] {
  let value = 0n;
  for (let position = from; position < bytes.length; position += 1) {
    const byte = bytes[position] ?? 0;
    value |= BigInt(byte & 0x7f) << BigInt(7 * (position - from));
    if (byte < 0x80) return [value, position + 1];
  }
  throw new RangeError('A number does not end.');
}

function readVarints(bytes: Uint8Array): number[] {
  const values: number[] = [];
  for (let position = 0; position < bytes.length;) {
    const [value, next] = readVarint(bytes, position);
    values.push(Number(value));
    position = next;
  }
  return values;
}

function messages(fields: Fields, field: number): Fields[] {
  return (fields.get(field) ?? []).map((bytes) => {
    if (!(bytes instanceof Uint8Array)) throw new RangeError(`Field ${field} is no message.`);
    return read(bytes);
  });
}

function message(fields: Fields, field: number): Fields {
  return messages(fields, field)[0] ?? new Map();
}

function number(fields: Fields, field: number): bigint {
  const value = fields.get(field)?.[0] ?? 0n;
  if (typeof value !== 'bigint') throw new RangeError(`Field ${field} is no number.`);
  return value;
}

function double(fields: Fields, field: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, number(fields, field));
  return view.getFloat64(0);
}

function text(fields: Fields, field: number): string {
  const value = fields.get(field)?.[0];
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : '';
}

function zigzag(value: bigint): number {
  return Number((value >> 1n) ^ -(value & 1n));
}
