// Texts that are too pale for what is behind them (below 4.5 to 1, or 3 to 1 when large).
() => {
  const channel = (value) => { value /= 255; return value <= .03928 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4; };
  const light = ([r, g, b]) => .2126 * channel(r) + .7152 * channel(g) + .0722 * channel(b);
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const paint = (colour) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data]; };
  const behind = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const style = getComputedStyle(each);
      if (style.backgroundImage !== "none") return null;
      const found = paint(style.backgroundColor);
      if (found[3] === 255) return found;
      if (found[3] > 0) return null;
    }
    return [255, 255, 255];
  };
  const poor = [];
  for (const element of document.querySelectorAll("body *")) {
    if (element.closest("svg") || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (element.closest("[disabled], .visually-hidden, .skip, [aria-hidden=true]")) continue;
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own) continue;
    let opacity = 1;
    for (let each = element; each; each = each.parentElement) opacity *= Number(getComputedStyle(each).opacity);
    if (opacity < .99) continue;
    const ground = behind(element);
    if (!ground) continue;
    const style = getComputedStyle(element);
    const ink = paint(style.color);
    if (ink[3] < 255) continue;
    const [high, low] = [light(ink), light(ground)].sort((a, b) => b - a);
    const ratio = (high + .05) / (low + .05);
    const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5)) poor.push(`${ratio.toFixed(2)} ${element.className || element.tagName}: ${element.textContent.trim().slice(0, 40)}`);
  }
  return poor;
}
