// Writes the comment on a pull request (GitHub) or merge request (GitLab). There is one comment per plan and job, which is updated in
// place.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const PAGE_SIZE = 100;
/** Maximum number of pages of comments that are searched. A pull request with more comments gets a second comment. */
const MAX_PAGES = 20;
const TIMEOUT_MS = 20_000;

/**
 * Creates the comment, or updates the earlier comment for the same plan and job. Never throws, because a build must not fail only because
 * its comment cannot be written. Returns a sentence about what happened.
 */
export async function publishComment(text, plan, env) {
  const forge = env.GITHUB_ACTIONS === 'true' ? openGitHub(env) : openGitLab(env);
  if (forge === null) return 'No comment: this build is not of a pull request.';
  if (!forge.headers) return 'No comment: there is no token. The job summary has the result.';
  const key = createHash('sha256').update(`${plan}\0${forge.job}`).digest('hex').slice(0, 16);
  const body = `<!-- holdfast:${key} -->\n${text}`;
  try {
    const author = await forge.findAuthor();
    const earlier = await findEarlier(forge, body.split('\n', 1)[0], author);
    if (earlier === null) await call(forge, forge.comments, 'POST', { body });
    else await call(forge, forge.commentAddress(earlier), forge.updateMethod, { body });
    return `Comment ${earlier === null ? 'created' : 'updated'}.`;
  } catch (error) {
    return `No comment (${error.message}). A token without permission to write, as builds of forks have, cannot comment; the job summary has the result.`;
  }
}

/** Finds the comment that begins with the marker. Only comments by the same author count, because anybody can copy the marker. */
async function findEarlier(forge, marker, author) {
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const comments = await call(forge, `${forge.comments}?per_page=${PAGE_SIZE}&page=${page}`, 'GET');
    const foundComment = comments.find((comment) => comment.body?.startsWith(marker) && forge.authorOf(comment) === author);
    if (foundComment) return foundComment.id;
    if (comments.length < PAGE_SIZE) return null;
  }
  return null;
}

function openGitHub(env) {
  const { pull_request: request } = JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, 'utf8'));
  if (request === undefined) return null;
  const repository = `${env.GITHUB_API_URL}/repos/${env.GITHUB_REPOSITORY}`;
  const forge = {
    headers: env.HOLDFAST_TOKEN && { authorization: `Bearer ${env.HOLDFAST_TOKEN}`, accept: 'application/vnd.github+json' },
    job: env.GITHUB_JOB,
    comments: `${repository}/issues/${Number(request.number)}/comments`,
    commentAddress: (id) => `${repository}/issues/comments/${Number(id)}`,
    updateMethod: 'PATCH',
    authorOf: (comment) => comment.user?.login,
    // The token of a job belongs to an app and has no user.
    findAuthor: () =>
      call(forge, `${env.GITHUB_API_URL}/user`, 'GET').then(
        ({ login }) => login,
        () => 'github-actions[bot]',
      ),
  };
  return forge;
}

function openGitLab(env) {
  if (!env.CI_MERGE_REQUEST_IID) return null;
  const comments = `${env.CI_API_V4_URL}/projects/${Number(env.CI_PROJECT_ID)}/merge_requests/${Number(env.CI_MERGE_REQUEST_IID)}/notes`;
  const forge = {
    headers: env.HOLDFAST_TOKEN && { 'private-token': env.HOLDFAST_TOKEN },
    job: env.CI_JOB_NAME,
    comments,
    commentAddress: (id) => `${comments}/${Number(id)}`,
    updateMethod: 'PUT',
    authorOf: (comment) => comment.author?.username,
    findAuthor: async () => (await call(forge, `${env.CI_API_V4_URL}/user`, 'GET')).username,
  };
  return forge;
}

async function call({ headers }, address, method, body) {
  const response = await fetch(address, {
    headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'holdfast' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(body === undefined ? {} : { method, body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${new URL(address).pathname}: status ${response.status}`);
  return response.json();
}
