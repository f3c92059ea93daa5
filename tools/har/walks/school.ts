import type { Page } from '@playwright/test';
import { read, settled, urlOf, type Place, type Walk } from './walk.ts';

async function logIn(page: Page, place: Place): Promise<void> {
  const [account] = place.accounts;
  await page.goto(urlOf(place, '/login'));
  await page.getByLabel('User name').fill(account?.username ?? '');
  await page.getByLabel('Password').fill(account?.password ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('You are now logged in').waitFor();
  await settled(page);
}

/** A sum whose answer another server knows, which is asked in a second tab. */
export const practise: Walk = async (page, place) => {
  await logIn(page, place);
  await page.goto(urlOf(place, '/@@practice/select_chapter/5'));
  const seed = /Random seed: (\d+)/.exec(await page.locator('main').innerText())?.[1] ?? '';
  const template = /Template id: (\d+)/.exec(await page.locator('main').innerText())?.[1] ?? '';
  const oracle = place.addresses.find(({ label }) => /oracle/i.test(label))?.url ?? '';
  const tab = await page.context().newPage();
  await tab.goto(`${oracle}?templateId=${template}&seed=${seed}`);
  const answers: string[][] = JSON.parse(await tab.locator('body').innerText());
  await tab.close();
  const fields = page.locator('input[type="text"]');
  for (const [index, answer] of answers.flat().entries()) await fields.nth(index).fill(answer);
  await read(page, 1);
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByText('Correct!').waitFor();
  await page.getByRole('button', { name: 'Go to next question' }).click();
  await page.getByText('Random seed').waitFor();
  await settled(page);
};

/** The same pages twice: the second time the browser has most of them. */
export const cachedPages: Walk = async (page, place) => {
  await page.goto(urlOf(place, '/'));
  await settled(page);
  const content = page.locator('main li a').first();
  const path = (await content.getAttribute('href')) ?? '';
  await page.goto(urlOf(place, path));
  await settled(page);
  await read(page);
  await page.goto(urlOf(place, '/'));
  await settled(page);
  await page.goto(urlOf(place, path));
  await settled(page);
};
