import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { readForm, textField } from '../web/forms.ts';
import type { People } from './accounts.ts';

export interface RegistrationParts {
  readonly people: People;
  readonly showForm: RequestHandler;
  /** Answers itself when the token of the form is missing. */
  readonly xsrfHolds: (request: Request, form: FormData | null, response: Response) => boolean;
}

const LONGEST = 50;
const SHORTEST_PASSWORD = 6;

/**
 * `/register` as in a contest of CMS that lets people register themselves: the answer to a registration is the user name as plain
 * text, 400 for fields that cannot be, 409 for a name that is taken.
 */
export function registration({ people, showForm, xsrfHolds }: RegistrationParts): Router {
  const router = express.Router();
  router.get('/', showForm);
  router.post('/', async (request, response) => {
    const form = await readForm(request);
    if (!xsrfHolds(request, form, response)) return;
    const username = textField(form, 'username');
    const password = textField(form, 'password');
    const names = [textField(form, 'first_name'), textField(form, 'last_name')];
    const isFine =
      /^[A-Za-z0-9_-]+$/.test(username) &&
      password.length >= SHORTEST_PASSWORD &&
      [username, password, ...names].every((text) => text.length > 0 && text.length <= LONGEST);
    if (!isFine) return void response.status(400).type('text/plain').send('These fields cannot be.');
    if (!people.register(username, password)) return void response.status(409).type('text/plain').send('This name is taken.');
    response.type('text/plain').send(username);
  });
  return router;
}
