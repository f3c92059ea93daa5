import { chosenImage, isForScreen } from './chosenImage.ts';
import type { Urgency } from './pageLinks.ts';

/** Image types that Chromium shows. */
const SHOWN_TYPE = /^image\/(avif|webp|png|apng|jpe?g|gif|svg\+xml|bmp|x-icon|vnd\.microsoft\.icon)$/i;
/** Number of large images that Chromium requests before the others. */
const MAX_FIRST_IMAGES = 5;
const SMALL_IMAGE_PIXELS = 10_000;

/** Selects the image for each place on a page and its urgency. Receives the tags in order. */
export class PagePictures {
  /** Number of images that are not lazy. */
  count = 0;
  private first = 0;
  private isOpen = false;
  /** Image selected by a source of the open `picture`; undefined if none was. */
  private ofSources: string | undefined;

  begin(): void {
    this.isOpen = true;
    this.ofSources = undefined;
  }

  end(): void {
    this.isOpen = false;
  }

  takeSource(attributes: ReadonlyMap<string, string>): void {
    if (!this.isOpen || this.ofSources !== undefined) return;
    const type = attributes.get('type')?.trim() ?? '';
    if (!isForScreen(attributes.get('media')) || !(type === '' || SHOWN_TYPE.test(type))) return;
    this.ofSources = chosenImage(undefined, attributes.get('srcset'), attributes.get('sizes')) ?? undefined;
  }

  chosen(attributes: ReadonlyMap<string, string>): string | undefined {
    const own = (): string | undefined =>
      chosenImage(attributes.get('src'), attributes.get('srcset'), attributes.get('sizes')) ?? undefined;
    return (this.isOpen ? this.ofSources : undefined) ?? own();
  }

  urgencyOf(attributes: ReadonlyMap<string, string>): Urgency {
    if (attributes.get('loading')?.trim().toLowerCase() === 'lazy') return 'afterwards';
    this.count += 1;
    const pixels = Number.parseInt(attributes.get('width') ?? '', 10) * Number.parseInt(attributes.get('height') ?? '', 10);
    if (pixels < SMALL_IMAGE_PIXELS || this.first >= MAX_FIRST_IMAGES) return 'low';
    this.first += 1;
    return 'usual';
  }
}
