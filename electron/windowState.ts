import { z } from 'zod';

const boundsSchema = z.strictObject({ x: z.int(), y: z.int(), width: z.int().min(320), height: z.int().min(320) });
export type Bounds = z.infer<typeof boundsSchema>;

export const firstSize = { width: 1_280, height: 860 };

/** Where the window was, when that is still on a screen; else only a size, and the system chooses the place. */
export function windowBounds(saved: string | undefined, screens: readonly Bounds[]): Bounds | typeof firstSize {
  const bounds = parse(saved);
  return bounds && screens.some((screen) => isReachable(bounds, screen)) ? bounds : firstSize;
}

function parse(saved: string | undefined): Bounds | undefined {
  try {
    return boundsSchema.parse(JSON.parse(saved ?? ''));
  } catch {
    return undefined;
  }
}

/** Enough of the title bar is on the screen to take hold of it. */
function isReachable(bounds: Bounds, screen: Bounds): boolean {
  const seen = Math.min(bounds.x + bounds.width, screen.x + screen.width) - Math.max(bounds.x, screen.x);
  return seen >= 120 && bounds.y >= screen.y && bounds.y <= screen.y + screen.height - 40;
}
