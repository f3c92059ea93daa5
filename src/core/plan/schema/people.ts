import { z } from 'zod';
import { nameSchema } from './url.ts';

const MAX_MILESTONES = 20;
const MAX_ITEM_STEPS = 50;

const noun = z.string().trim().min(1).max(40);
/** Name of a milestone. It begins with a letter, because JavaScript would move a number to the front of the order. */
const milestoneSchema = z
  .string()
  .max(60)
  .regex(/^\p{L}[^"“”\p{C}]*$/u, 'A milestone begins with a letter and has no quotation marks, for example “handed in”.');

/** Steps that are milestones and items of a person. A person is a user of the load. For an example, see docs/journeys.md, “People”. */
export const peopleSchema = z.strictObject({
  /** Nouns for one person and for several people. */
  one: noun.default('person'),
  many: noun.default('people'),
  /**
   * Names of milestones with their steps, in order. A successful response to the step reaches the milestone; the last milestone is the aim
   * of each person.
   */
  milestones: z
    .record(milestoneSchema, nameSchema)
    .refine((milestones) => Object.keys(milestones).length > 0, 'Name at least one milestone.')
    .refine((milestones) => Object.keys(milestones).length <= MAX_MILESTONES, `People have at most ${MAX_MILESTONES} milestones.`)
    .optional(),
  /** Steps whose successful responses are counted for each person, and how many each person should reach. */
  items: z
    .strictObject({
      steps: z.union([nameSchema.transform((name) => [name]), z.array(nameSchema).min(1).max(MAX_ITEM_STEPS)]),
      each: z.int().min(1).max(10_000).optional(),
    })
    .optional(),
  /** Text that identifies a person, from feeds: `{{account.user}}`. Results show pseudonyms, unless the names are asked for. */
  name: z.string().min(1).max(200).optional(),
  /** Maximum share of people who may miss the last milestone. Default: 1 %, and nobody if there are fewer than 100. */
  maxLostShare: z.number().min(0).lt(1).optional(),
});
export type People = z.output<typeof peopleSchema>;
