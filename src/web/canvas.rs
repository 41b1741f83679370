//! Draws draw lists on a 2D canvas, crisp on the screen's own pixels.
//!
//! Must not know what a picture means. Rows of colours go through one image, because a canvas
//! draws a few thousand rectangles in a frame and no more.

use crate::timeline::draw::{Align, Area, DrawList, DrawOp, Pen, Point, Type};
use crate::timeline::scale::{count_px, pixels};
use crate::timeline::theme::{Colour, Fill, Texture};
use std::cell::Cell;
use std::collections::HashMap;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{Clamped, JsCast, JsValue};
use web_sys::{Blob, CanvasPattern, CanvasRenderingContext2d, HtmlCanvasElement, ImageData};

/// Names, times and ticks: figures must be equally wide.
const MONO: &str = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace";
/// Side of a pattern's tile, in px.
const PATTERN_SIDE: f64 = 6.0;

/// Draws on one canvas.
pub struct Painter {
    canvas: HtmlCanvasElement,
    context: CanvasRenderingContext2d,
    /// Rows of colours on their way to the canvas.
    rows: HtmlCanvasElement,
    rows_context: CanvasRenderingContext2d,
    patterns: HashMap<(Texture, [u8; 4], u32), CanvasPattern>,
    dpr: f64,
    /// What the canvas was told last: telling it anew costs more than a rectangle.
    told: Told,
}

#[derive(Default)]
struct Told {
    fill: Cell<Option<Colour>>,
    type_: Cell<Option<Type>>,
}

/// Signs that are drawn together: those of one colour.
#[derive(PartialEq)]
struct Signs {
    colour: Colour,
    rim: Colour,
}

impl Painter {
    /// A painter for this canvas; fails where there is no 2D canvas.
    ///
    /// # Errors
    /// What the browser says.
    pub fn new(canvas: HtmlCanvasElement) -> Result<Self, JsValue> {
        let context = context_of(&canvas)?;
        let rows = new_canvas()?;
        let rows_context = context_of(&rows)?;
        Ok(Self {
            canvas,
            context,
            rows,
            rows_context,
            patterns: HashMap::new(),
            dpr: 1.0,
            told: Told::default(),
        })
    }

    /// Draws a picture on a ground, `dpr` screen pixels to a px.
    ///
    /// # Errors
    /// What the browser says.
    pub fn draw(&mut self, list: &DrawList, ground: Colour, dpr: f64) -> Result<(), JsValue> {
        if (self.dpr - dpr).abs() > 1e-9 {
            self.told = Told::default();
        }
        self.dpr = dpr;
        let (width, height) = (pixels(list.width * dpr), pixels(list.height * dpr));
        if self.canvas.width() != width || self.canvas.height() != height {
            self.canvas.set_width(width);
            self.canvas.set_height(height);
            self.told = Told::default();
        }
        self.context.set_image_smoothing_enabled(false);
        self.colour(ground);
        self.context.fill_rect(0.0, 0.0, f64::from(width), f64::from(height));
        self.send_rows(list)?;
        let mut row = 0;
        let mut signs = None;
        for op in &list.ops {
            let of = match op {
                DrawOp::Glyph { colour, rim, .. } => Some(Signs { colour: *colour, rim: *rim }),
                _ => None,
            };
            if of != signs {
                self.finish(signs.take());
                if of.is_some() {
                    self.context.begin_path();
                }
                signs = of;
            }
            self.op(op, &mut row)?;
        }
        self.finish(signs);
        Ok(())
    }

    /// Draws the signs whose outlines stand in the path.
    fn finish(&self, signs: Option<Signs>) {
        let Some(Signs { colour, rim }) = signs else { return };
        self.context.set_stroke_style_str(&rim.css());
        self.context.set_line_width(2.0 * self.dpr);
        self.context.stroke();
        self.colour(colour);
        self.context.fill();
    }

    fn op(&mut self, op: &DrawOp, row: &mut u32) -> Result<(), JsValue> {
        match op {
            DrawOp::Rect { area, radius, fill } => self.rect(area, *radius, fill),
            DrawOp::Line { ends, pen } => {
                self.line(*ends, pen);
                Ok(())
            }
            DrawOp::Arrow { points, pen, head } => self.arrow(points, pen, *head),
            DrawOp::Glyph { sign, at, size, .. } => {
                self.corners(&sign.outline(*at, *size));
                Ok(())
            }
            DrawOp::Text { text, at, type_, colour } => self.text(text, *at, *type_, *colour),
            DrawOp::Path { points, filled, pen } => {
                self.path(points, *filled, pen);
                Ok(())
            }
            DrawOp::ImageRow { area, rgba } => {
                let sw = count_px(rgba.len() / 4);
                let [x, y, w, h] = self.snapped(area);
                let from = f64::from(*row);
                *row += 1;
                let context = &self.context;
                context
                    .draw_image_with_html_canvas_element_and_sw_and_sh_and_dx_and_dy_and_dw_and_dh(
                        &self.rows, 0.0, from, sw, 1.0, x, y, w, h,
                    )
            }
        }
    }

    /// Puts all rows of colours under each other in one image.
    fn send_rows(&self, list: &DrawList) -> Result<(), JsValue> {
        let images = || {
            list.ops.iter().filter_map(|op| match op {
                DrawOp::ImageRow { rgba, .. } => Some(rgba),
                _ => None,
            })
        };
        let width = images().map(|rgba| rgba.len()).max().unwrap_or(0);
        if width == 0 {
            return Ok(());
        }
        let mut bytes = Vec::with_capacity(width * images().count());
        for rgba in images() {
            bytes.extend_from_slice(rgba);
            bytes.resize(bytes.len().next_multiple_of(width), 0);
        }
        let (columns, rows) = (pixels(count_px(width / 4)), pixels(count_px(bytes.len() / width)));
        if self.rows.width() < columns || self.rows.height() < rows {
            self.rows.set_width(columns.max(self.rows.width()));
            self.rows.set_height(rows.max(self.rows.height()));
        }
        let image = ImageData::new_with_u8_clamped_array_and_sh(Clamped(&bytes), columns, rows)?;
        self.rows_context.put_image_data(&image, 0.0, 0.0)
    }

    /// Left, top, width, height in whole screen pixels, at least one each.
    fn snapped(&self, area: &Area) -> [f64; 4] {
        let (x, y) = ((area.x * self.dpr).round(), (area.y * self.dpr).round());
        let (right, bottom) =
            ((area.right() * self.dpr).round(), (area.bottom() * self.dpr).round());
        [x, y, (right - x).max(1.0), (bottom - y).max(1.0)]
    }

    fn rect(&mut self, area: &Area, radius: f64, fill: &Fill) -> Result<(), JsValue> {
        if area.w <= 0.0 || area.h <= 0.0 {
            return Ok(());
        }
        let [x, y, w, h] = self.snapped(area);
        let radius = (radius * self.dpr).min(w / 2.0).min(h / 2.0);
        self.colour(fill.ground);
        if radius < 1.0 {
            self.context.fill_rect(x, y, w, h);
        } else {
            self.context.begin_path();
            self.context.round_rect_with_f64(x, y, w, h, radius)?;
            self.context.fill();
        }
        if fill.texture != Texture::Plain {
            let pattern = self.pattern(fill.texture, fill.ink)?;
            self.told.fill.set(None);
            self.context.set_fill_style_canvas_pattern(&pattern);
            if radius < 1.0 {
                self.context.fill_rect(x, y, w, h);
            } else {
                self.context.fill();
            }
        }
        Ok(())
    }

    fn pattern(&mut self, texture: Texture, ink: Colour) -> Result<CanvasPattern, JsValue> {
        let [r, g, b] = ink.rgb;
        let side = pixels(PATTERN_SIDE * self.dpr);
        let key = (texture, [r, g, b, ink.alpha], side);
        if let Some(pattern) = self.patterns.get(&key) {
            return Ok(pattern.clone());
        }
        let tile = new_canvas()?;
        tile.set_width(side);
        tile.set_height(side);
        let context = context_of(&tile)?;
        context.set_stroke_style_str(&ink.css());
        context.set_line_width(1.2 * self.dpr);
        let side = f64::from(side);
        // Each line is drawn thrice, so that the tile's corners fit their neighbours.
        for shift in [-side, 0.0, side] {
            context.begin_path();
            context.move_to(shift - 1.0, side + 1.0);
            context.line_to(shift + side + 1.0, -1.0);
            if texture == Texture::Cross {
                context.move_to(shift - 1.0, -1.0);
                context.line_to(shift + side + 1.0, side + 1.0);
            }
            context.stroke();
        }
        let pattern = self.context.create_pattern_with_html_canvas_element(&tile, "repeat")?;
        let pattern = pattern.ok_or("no pattern without a size")?;
        self.patterns.insert(key, pattern.clone());
        Ok(pattern)
    }

    /// Upright and level lines lie on the pixel grid.
    fn line(&self, [from, to]: [Point; 2], pen: &Pen) {
        let width = (pen.width * self.dpr).round().max(1.0);
        let (x0, y0) = ((from.x * self.dpr).round(), (from.y * self.dpr).round());
        let (x1, y1) = ((to.x * self.dpr).round(), (to.y * self.dpr).round());
        self.colour(pen.colour);
        let half = (width / 2.0).floor();
        if (x0 - x1).abs() < 0.5 {
            self.context.fill_rect(x0 - half, y0, width, y1 - y0);
        } else {
            self.context.fill_rect(x0, y0 - half, x1 - x0, width);
        }
    }

    fn arrow(&self, points: &[Point; 4], pen: &Pen, head: f64) -> Result<(), JsValue> {
        let (curve, tip) = DrawOp::arrow_shape(points, head);
        let scaled = |p: Point| (p.x * self.dpr, p.y * self.dpr);
        let [(x0, y0), (x1, y1), (x2, y2), (x3, y3)] = curve.map(scaled);
        let context = &self.context;
        let css = pen.colour.css();
        context.set_stroke_style_str(&css);
        context.set_line_width(pen.width * self.dpr);
        if pen.dash > 0.0 {
            let dash = JsValue::from_f64(pen.dash * self.dpr);
            context.set_line_dash(&js_sys::Array::of2(&dash, &dash))?;
        }
        context.begin_path();
        context.move_to(x0, y0);
        context.bezier_curve_to(x1, y1, x2, y2, x3, y3);
        context.stroke();
        if pen.dash > 0.0 {
            context.set_line_dash(&js_sys::Array::new())?;
        }
        self.colour(pen.colour);
        context.begin_path();
        self.corners(&tip);
        context.fill();
        Ok(())
    }

    /// Adds corners to the path and closes it.
    fn corners(&self, corners: &[Point]) {
        self.through(corners.iter().map(|point| (point.x * self.dpr, point.y * self.dpr)));
        self.context.close_path();
    }

    fn through(&self, points: impl Iterator<Item = (f64, f64)>) {
        for (nth, (x, y)) in points.enumerate() {
            if nth == 0 {
                self.context.move_to(x, y);
            } else {
                self.context.line_to(x, y);
            }
        }
    }

    /// Level and upright parts lie on the pixel grid.
    fn path(&self, points: &[Point], filled: bool, pen: &Pen) {
        let width = (pen.width * self.dpr).round().max(1.0);
        // Lines of an odd width lie on the middle of pixels, edges between them.
        let half = if filled { 0.0 } else { (width / 2.0).fract() };
        let snapped = |px: f64| (px * self.dpr).round() + half;
        self.context.begin_path();
        self.through(points.iter().map(|point| (snapped(point.x), snapped(point.y))));
        if filled {
            self.colour(pen.colour);
            self.context.fill();
        } else {
            self.context.set_stroke_style_str(&pen.colour.css());
            self.context.set_line_width(width);
            self.context.stroke();
        }
    }

    fn text(&self, text: &str, at: Point, type_: Type, colour: Colour) -> Result<(), JsValue> {
        let context = &self.context;
        if self.told.type_.replace(Some(type_)) != Some(type_) {
            let weight = if type_.bold { "600 " } else { "" };
            context.set_font(&format!("{weight}{}px {MONO}", type_.size * self.dpr));
            context.set_text_align(match type_.align {
                Align::Start => "left",
                Align::Middle => "center",
                Align::End => "right",
            });
            context.set_text_baseline("middle");
        }
        self.colour(colour);
        let (x, y) = ((at.x * self.dpr).round(), (at.y * self.dpr).round());
        if !type_.turned {
            return context.fill_text(text, x, y + self.dpr.round());
        }
        context.save();
        context.translate(x, y)?;
        context.rotate(-std::f64::consts::FRAC_PI_2)?;
        context.fill_text(text, 0.0, 0.0)?;
        context.restore();
        Ok(())
    }

    fn colour(&self, colour: Colour) {
        if self.told.fill.replace(Some(colour)) != Some(colour) {
            self.context.set_fill_style_str(&colour.css());
        }
    }
}

/// The longest side that every browser draws, in pixels.
const SIDE_MAX: f64 = 16_384.0;
/// The most pixels that every browser draws, on phones too.
const PIXELS_MAX: f64 = 16_777_216.0;

/// Draws a picture on a ground as a PNG file, `scale` pixels to a px; gives it, or a sentence why
/// there is none.
pub fn png(
    list: &DrawList,
    ground: Colour,
    scale: f64,
    done: impl FnOnce(Result<Blob, String>) + 'static,
) {
    let (width, height) = (list.width * scale, list.height * scale);
    if width.max(height) > SIDE_MAX || width * height > PIXELS_MAX {
        done(Err(format!(
            "The picture would have {width:.0} × {height:.0} pixels; save it as SVG."
        )));
        return;
    }
    let refused = || "The browser cannot make a PNG of this size; save it as SVG.".to_string();
    let drawn = new_canvas().and_then(|canvas| {
        Painter::new(canvas.clone())?.draw(list, ground, scale)?;
        Ok(canvas)
    });
    let Ok(canvas) = drawn else { return done(Err(refused())) };
    let told = Closure::once_into_js(move |blob: Option<Blob>| done(blob.ok_or_else(refused)));
    // Fails only for canvases with images of others.
    let _ = canvas.to_blob(told.unchecked_ref());
}

/// A canvas that is nowhere on the page.
fn new_canvas() -> Result<HtmlCanvasElement, JsValue> {
    Ok(gloo::utils::document().create_element("canvas")?.dyn_into::<HtmlCanvasElement>()?)
}

fn context_of(canvas: &HtmlCanvasElement) -> Result<CanvasRenderingContext2d, JsValue> {
    let context = canvas.get_context("2d")?.ok_or("this browser has no 2D canvas")?;
    Ok(context.dyn_into::<CanvasRenderingContext2d>()?)
}
