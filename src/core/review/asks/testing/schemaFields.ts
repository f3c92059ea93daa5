import { z } from 'zod';

/** A field of a schema: its path in the syntax of the field table, and its schema. */
export interface SchemaField {
  readonly path: string;
  readonly schema: z.core.$ZodType;
}

/** Returns every leaf field of a schema: `targets[].url`, `feeds.*.file`. */
export function schemaFields(schema: z.core.$ZodType, path = ''): SchemaField[] {
  const inside = (child: z.core.$ZodType, at: string): SchemaField[] => schemaFields(child, at);
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([name, child]) => inside(child, path === '' ? name : `${path}.${name}`));
  if (schema instanceof z.ZodArray) return inside(schema.element, `${path}[]`);
  if (schema instanceof z.ZodTuple) return schema.def.items.flatMap((item) => inside(item, `${path}[]`));
  if (schema instanceof z.ZodRecord) return inside(schema.valueType, `${path}.*`);
  if (schema instanceof z.ZodUnion || schema instanceof z.ZodDiscriminatedUnion)
    return schema.options.flatMap((option) => inside(option, path));
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  )
    return inside(schema.unwrap(), path);
  if (schema instanceof z.ZodPipe) return schema.out instanceof z.ZodTransform ? inside(schema.in, path) : inside(schema.out, path);
  // A schema for any JSON is recursive and counts as one field.
  if (schema instanceof z.ZodLazy) return [{ path, schema }];
  if (LEAVES.some((leaf) => schema instanceof leaf)) return [{ path, schema }];
  throw new Error(`${path}: nothing here knows a schema of the kind ${schema.constructor.name}.`);
}

const LEAVES = [z.ZodString, z.ZodCustom, z.ZodNumber, z.ZodBoolean, z.ZodLiteral, z.ZodEnum, z.ZodNull, z.ZodStringFormat];
