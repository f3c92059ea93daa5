import type { ErrorRequestHandler } from 'express';

/** The end of a server's handlers: a fault of the request is its own 4xx, everything else 500, never a stack. */
export const answerFailure: ErrorRequestHandler = (failure: unknown, _request, response, next) => {
  if (response.headersSent) return next(failure);
  const status = hasStatus(failure) && failure.status >= 400 && failure.status < 500 ? failure.status : 500;
  response
    .status(status)
    .type('text/plain')
    .send(status === 500 ? 'The practice server failed.' : 'The request cannot be understood.');
};

function hasStatus(failure: unknown): failure is { status: number } {
  return typeof failure === 'object' && failure !== null && 'status' in failure && typeof failure.status === 'number';
}
