import { z } from 'zod';
import { isSecretField } from '../secretShapes.ts';

/** Placeholder for the trace id in the address of a trace. */
export const TRACE_ID_PLACEHOLDER = '{traceId}';

/** Trace ids of requests, for the tracing of the target: docs/otlp.md. */
export const traceSchema = z.strictObject({
  /** Share of requests that carry a `traceparent` header (W3C Trace Context) with the flag “sampled”. */
  share: z.number().gt(0).max(1),
  /** Address of a trace in a browser, with `{traceId}`. */
  link: z
    .string()
    .max(500)
    .refine(isTraceLink, 'Enter an http or https address with {traceId} in its path or query: https://tempo.example.org/trace/{traceId}.')
    .refine(
      (link) => !isTraceLink(link) || !hasSecret(link),
      'Remove the token from the link, because results show the link. Log in to the other app instead.',
    )
    .optional(),
});

/** Returns whether a template always leads to the same server, over http or https, and names the trace. */
function isTraceLink(template: string): boolean {
  if (!/^https?:\/\/[^\s\p{C}\\]+$/iu.test(template) || !template.includes(TRACE_ID_PLACEHOLDER)) return false;
  const [one, other] = ['0', 'f'].map((digit) => fillTraceLink(template, digit.repeat(32)));
  if (one === undefined || other === undefined || !URL.canParse(one) || !URL.canParse(other)) return false;
  const { origin, username, password } = new URL(one);
  return username === '' && password === '' && origin === new URL(other).origin;
}

/** Returns whether the query or the fragment of a template contains a secret, which every reader of the result would see. */
function hasSecret(template: string): boolean {
  const [, ...pairs] = template.split(/[?#&]/);
  return pairs.some((pair) => {
    const [name = '', value = ''] = pair.split('=', 2);
    return isSecretField(name, value);
  });
}

/** Returns the address of a trace. */
export function fillTraceLink(template: string, traceId: string): string {
  return template.replaceAll(TRACE_ID_PLACEHOLDER, traceId);
}
