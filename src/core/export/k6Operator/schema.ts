import { z } from 'zod';

/**
 * The parts of the operator's TestRun resource (`k6.io/v1alpha1`) and its ConfigMap that Holdfast writes. docs/scale.md lists the sources.
 * The operator accepts everything that this schema accepts: both are strict about names.
 */

/** Kubernetes object name (RFC 1123), short enough for the operator's suffixes. */
export const objectNameSchema = z
  .string()
  .max(50)
  .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, 'Use lowercase letters, digits and -, with a letter or digit at both ends.');

/** Kubernetes quantity: 500m, 2, 1.5Gi. */
export const quantitySchema = z
  .string()
  .regex(/^\d+(\.\d+)?(m|k|Ki|M|Mi|G|Gi|T|Ti)?$/, 'Enter a Kubernetes quantity, for example 500m, 2 or 1Gi.');

const environmentName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/);
const variableSchema = z.union([
  z.strictObject({ name: environmentName, value: z.string() }),
  z.strictObject({
    name: environmentName,
    valueFrom: z.strictObject({ secretKeyRef: z.strictObject({ name: objectNameSchema, key: z.string().regex(/^[-._a-zA-Z0-9]+$/) }) }),
  }),
]);
const amountsSchema = z.strictObject({ cpu: quantitySchema, memory: quantitySchema });
const metadataSchema = z.strictObject({ name: objectNameSchema, namespace: objectNameSchema.optional() });

export const testRunSchema = z.strictObject({
  apiVersion: z.literal('k6.io/v1alpha1'),
  kind: z.literal('TestRun'),
  metadata: metadataSchema,
  spec: z.strictObject({
    /** Number of runners; each runs its own segment of the load. */
    parallelism: z.int().min(1).max(1_000),
    /** Whether each runner needs its own node. */
    separate: z.boolean().optional(),
    script: z.strictObject({ configMap: z.strictObject({ name: objectNameSchema, file: z.string() }) }),
    /** Arguments of `k6 run`, separated by spaces. */
    arguments: z.string(),
    runner: z.strictObject({
      image: z.string().min(1),
      env: z.array(variableSchema),
      resources: z.strictObject({ requests: amountsSchema, limits: z.strictObject({ memory: quantitySchema }) }),
    }),
  }),
});
export type TestRun = z.infer<typeof testRunSchema>;

const fileNameSchema = z.string().regex(/^[-._a-zA-Z0-9]{1,253}$/);

export const configMapSchema = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('ConfigMap'),
  metadata: metadataSchema,
  data: z.record(fileNameSchema, z.string()),
  /** File contents in Base64. */
  binaryData: z.record(fileNameSchema, z.string()).optional(),
});
export type ConfigMap = z.infer<typeof configMapSchema>;
