import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** More than any page of the tests has places that Tab stops at. */
const pressesMax = 80;

/**
 * Presses Tab until the target has the focus, as somebody without a mouse does, and checks that the focus can be seen there.
 *
 * @param key `Shift+Tab` to go back
 * @throws Error that lists what was reached instead
 */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const passed: unknown[] = [];
  for (let presses = 0; presses < pressesMax; presses += 1) {
    await page.keyboard.press(key);
    if ((await target.and(page.locator(':focus')).count()) === 1) {
      expect(await page.evaluate(hasVisibleFocus), 'the focus can be seen').toBe(true);
      return;
    }
    passed.push(await page.evaluate(nameOfFocused));
  }
  throw new Error(`${key} does not reach ${String(target)}, but ${passed.join(', ')}`);
}

const hasVisibleFocus = `(() => {
  const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
  return document.activeElement.matches(':focus-visible') && outlineStyle !== 'none' && parseFloat(outlineWidth) > 0;
})()`;

const nameOfFocused = `(({ tagName, id, textContent }) => tagName + ' ' + (id || textContent.trim().slice(0, 30)))(document.activeElement)`;
