import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** More than any page of the tests has places that Tab stops at. */
const pressesMax = 160;

/**
 * Presses Tab until the target has the focus, as somebody without a mouse does, and checks that the focus can be seen there.
 *
 * @param key `Shift+Tab` to go back
 * @throws Error that lists what was reached instead
 */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  // Tab stops at nothing that is not loaded yet, or disabled.
  await expect.poll(() => target.first().isEnabled()).toBe(true);
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

/** Reaches a control by Tab and presses a key there. */
export async function pressAt(page: Page, target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Reaches a field by Tab, which selects what is in it, and types in its place. */
export async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.type(text);
}

/** Reaches a list of choices by Tab, and goes down to one. */
export async function chooseBelow(page: Page, list: Locator, value: string): Promise<void> {
  await tabTo(page, list);
  const choices = await list.locator('option').count();
  for (let presses = 0; (await list.inputValue()) !== value; presses += 1) {
    if (presses === choices) throw new Error(`no choice below has the value ${value}`);
    await page.keyboard.press('ArrowDown');
  }
}

/** Opens a dialog by the button that asks for it, leaves it by Escape, which gives the focus back, and opens it again from there. */
export async function openAfterEscape(page: Page, button: string, title: string): Promise<Locator> {
  const dialog = page.getByRole('dialog', { name: title });
  await pressAt(page, page.getByRole('button', { name: button }));
  await dialog.waitFor();
  await leave(page, dialog);
  await page.getByRole('button', { name: button }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await dialog.waitFor();
  return dialog;
}

/** Closes a dialog by Escape. */
export async function leave(page: Page, dialog: Locator): Promise<void> {
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
}

/** Signs in by the dialog. @param kind what the registry calls the key, where its text does not say it */
export async function signInByKeyboard(page: Page, key: string, kind?: 'operator'): Promise<void> {
  await pressAt(page, page.getByRole('button', { name: /^Sign in$|^Signed in as/u }));
  const dialog = page.getByRole('dialog', { name: 'Who you are' });
  await dialog.waitFor();
  await typeInto(page, dialog.getByLabel('Key'), key);
  if (kind !== undefined) await chooseBelow(page, dialog.getByRole('combobox', { name: 'Whose it is' }), kind);
  const held = await dialog.getByRole('button', { name: 'Sign out' }).count();
  await pressAt(page, dialog.getByRole('button', { name: 'Sign in' }));
  await dialog.getByRole('button', { name: 'Sign out' }).nth(held).waitFor();
  await leave(page, dialog);
}

const hasVisibleFocus = `(() => {
  const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
  return document.activeElement.matches(':focus-visible') && outlineStyle !== 'none' && parseFloat(outlineWidth) > 0;
})()`;

const nameOfFocused = `(({ tagName, id, textContent }) => tagName + ' ' + (id || textContent.trim().slice(0, 30)))(document.activeElement)`;
