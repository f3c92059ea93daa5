import { z } from 'zod';
import { readReference } from '../secretReference.ts';

/** Message about the forms of references. */
export const SECRET_FORMS = 'A secret is written env:NAME, file:PATH, ask:LABEL or session:ID.';

/** Header values, cookies and bodies may be `{secret: "env:TOKEN"}` instead of plain text. */
const secretReferenceSchema = z.string().refine((text) => readReference(text) !== null, SECRET_FORMS);
export const secretSchema = z.strictObject({ secret: secretReferenceSchema });
export const textOrSecretSchema = z.union([z.string().max(16_384), secretSchema]);
export type TextOrSecret = z.infer<typeof textOrSecretSchema>;

export const nameSchema = z.string().trim().min(1).max(60);

/** Maximum number of headers of a request: twice Apache's limit. */
export const MAX_HEADERS = 200;

export const headersSchema = z
  .record(z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'A header name may contain only letters, digits and -.'), textOrSecretSchema)
  .refine((headers) => Object.keys(headers).length <= MAX_HEADERS, `A request has at most ${MAX_HEADERS} headers.`);
