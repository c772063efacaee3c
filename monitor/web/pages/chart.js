// Curves over time, as all pages draw them.

import uPlot from './uPlot.esm.js';
import { el, put, short, table, time } from './dom.js';

document.head.append(el('link', { rel: 'stylesheet', href: 'uPlot.min.css' }));

/// Options of uPlot for all charts: axes in the colors of the page, and a quantity that begins at 0. `unit`: of short().
export function frame(width, height, unit = '') {
  const style = getComputedStyle(document.documentElement);
  const text = style.getPropertyValue('--text'), grid = style.getPropertyValue('--line');
  const axis = { stroke: text, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid } };
  return { width, height, cursor: { drag: { x: true, y: false } },
    axes: [axis, { ...axis, size: unit ? 78 : 52, values: (self, ticks) => ticks.map((t) => short(t, unit)) }],
    // A single time has no width: show the five minutes before it, and not years.
    scales: { x: { range: (self, low, high) => [low !== null && low === high ? low - 300 : low, high] },
      y: { range: (self, low, high) => [0, high > 0 ? high * 1.05 : 1] } } };
}

export const curve = (label, stroke, unit = '', dash = undefined) => ({ label, stroke, width: 2, dash, spanGaps: false,
  value: (self, value) => value === null || value === undefined ? '–' : short(value, unit) });

export const week = 604800e3;
/// Columns of values of a week earlier at the times of the present; null if no value is within one step. Times in milliseconds.
export function shiftedByWeek(earlier, columns, times) {
  const shifted = earlier.map((t) => t + week), step = times.length > 1 ? times[1] - times[0] : 0;
  const distance = (i, t) => Math.abs(shifted[i] - t);
  let i = 0;
  const nearest = times.map((t) => {
    while (distance(i + 1, t) <= distance(i, t)) ++i;
    return distance(i, t) <= step ? i : null;
  });
  return columns.map((values) => nearest.map((n) => n === null ? null : values[n]));
}

/// The curves as a table, for readers who cannot see them; filled when it is opened. `columns()`: times in milliseconds, then values.
export function dataTable(title, labels, unit, columns) {
  const place = el('div');
  const fill = () => {
    const [times, ...values] = columns();
    const rows = times.map((t, i) => [t, ...values.map((column) => column[i])]).reverse();
    put(place, table(title, [{ title: 'Time', cell: (row) => time(row[0]) },
      ...labels.map((label, i) => ({ title: label, number: true, cell: (row) => row[i + 1] === null ? '–' : short(row[i + 1], unit) }))], rows));
  };
  return el('details', { class: 'data', ontoggle: (event) => event.target.open ? fill() : put(place) }, el('summary', {}, 'As a table'), place);
}

/// Small curves with a title, as wide as there is room once they are on the screen, also after the window is resized. `series`: [label, name
/// of a color, dash]. set(columns): times in milliseconds, then values.
export function smallChart(title, unit, series) {
  const place = el('div', { class: 'curves', role: 'img', 'aria-label': title });
  const height = 150;
  let chart = null, data = [[], ...series.map(() => [])];
  const fit = () => chart?.setSize({ width: place.clientWidth, height });
  const text = dataTable(title, series.map(([label]) => label), unit, () => [data[0].map((t) => 1000 * t), ...data.slice(1)]);
  const element = el('figure', { class: 'chart' }, el('figcaption', {}, title), place, text);
  return {
    element,
    set(columns) {
      data = [columns[0].map((t) => t / 1000), ...columns.slice(1)];
      chart?.setData(data);
    },
    draw() {
      const style = getComputedStyle(document.documentElement);
      const options = { ...frame(place.clientWidth, height, unit), legend: { show: series.length > 1 },
        series: [{}, ...series.map(([label, color, dash]) => curve(label, style.getPropertyValue(color), unit, dash))] };
      chart = new uPlot(options, data, place);
      addEventListener('resize', fit);
    },
    end() {
      removeEventListener('resize', fit);
      chart?.destroy();
    },
  };
}
