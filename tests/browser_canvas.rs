//! Goal: a known picture has the known pixels on a real canvas. Method: paint a small tile, draw
//! it at one and at two screen pixels per CSS pixel, read the pixels back.
#![cfg(target_arch = "wasm32")]

use std::rc::Rc;
use tickle::protocol::{Belief, Cell, IDLE, LaneTile, RunId, RunLane, Segment, Span, Tile};
use tickle::timeline::draw::{Area, DrawList, DrawOp, Pen, Point};
use tickle::timeline::layout::{Layout, Room};
use tickle::timeline::paint::{Inks, Picture, paint};
use tickle::timeline::shape::{MachineShape, PcpuShape, VcpuShape};
use tickle::timeline::theme::{Colour, Fill, Scheme, Sizes, Texture};
use tickle::web::canvas::Painter;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

wasm_bindgen_test_configure!(run_in_browser);

const GROUND: Colour = Colour::hex(0xff_ff_ff);
const RED: Colour = Colour::hex(0xb3_26_1e);
const BLUE: Colour = Colour::hex(0x44_77_aa);

/// A canvas with a picture on it.
struct Drawn {
    canvas: HtmlCanvasElement,
    dpr: f64,
}

impl Drawn {
    fn new(list: &DrawList, dpr: f64) -> Self {
        let element = gloo::utils::document().create_element("canvas").expect("a document");
        let canvas: HtmlCanvasElement = element.dyn_into().expect("a canvas");
        let mut painter = Painter::new(canvas.clone()).expect("a 2D canvas");
        painter.draw(list, GROUND, dpr).expect("a browser that draws");
        Self { canvas, dpr }
    }

    /// The colour of the screen pixel that holds a place in CSS pixels.
    fn at(&self, x: f64, y: f64) -> [u8; 3] {
        let context = self.canvas.get_context("2d").expect("a 2D canvas").expect("a 2D canvas");
        let context: CanvasRenderingContext2d = context.dyn_into().expect("a 2D canvas");
        let (x, y) = ((x * self.dpr).floor(), (y * self.dpr).floor());
        let image = context.get_image_data(x, y, 1.0, 1.0).expect("inside");
        let data = image.data();
        [data[0], data[1], data[2]]
    }
}

fn rect(x: f64, y: f64, w: f64, h: f64, fill: Fill) -> DrawOp {
    DrawOp::Rect { area: Area { x, y, w, h }, radius: 0.0, fill }
}

/// Edges lie on screen pixels: inside is the colour, the next pixel is the ground.
#[wasm_bindgen_test]
fn edges_are_crisp() {
    for dpr in [1.0, 2.0] {
        let mut list = DrawList::new(40.0, 20.0);
        list.ops.push(rect(10.0, 5.0, 8.0, 6.0, Fill::plain(BLUE)));
        let (from, to) = (Point { x: 30.0, y: 0.0 }, Point { x: 30.0, y: 20.0 });
        list.line(from, to, Pen::solid(1.0, RED));
        let drawn = Drawn::new(&list, dpr);
        assert_eq!(f64::from(drawn.canvas.width()), 40.0 * dpr);
        assert_eq!(f64::from(drawn.canvas.height()), 20.0 * dpr);
        let pixel = 1.0 / dpr;
        for (x, y) in [(10.0, 5.0), (18.0 - pixel, 5.0), (10.0, 11.0 - pixel)] {
            assert_eq!(drawn.at(x, y), BLUE.rgb, "{x},{y} at {dpr}");
        }
        for (x, y) in [(10.0 - pixel, 5.0), (18.0, 5.0), (10.0, 5.0 - pixel), (10.0, 11.0)] {
            assert_eq!(drawn.at(x, y), GROUND.rgb, "{x},{y} at {dpr}");
        }
        let red = (0..40).map(|x| drawn.at(f64::from(x), 3.0)).filter(|rgb| *rgb == RED.rgb);
        assert_eq!(red.count(), 1, "a hairline is neither blurred nor doubled at {dpr}");
    }
}

/// A row of colours is stretched over its area without being blurred.
#[wasm_bindgen_test]
fn rows_of_colours_are_not_blurred() {
    let [r, g, b] = BLUE.rgb;
    let rgba: Rc<[u8]> =
        (0..20).flat_map(|x| [r, g, b, if x % 2 == 0 { 255 } else { 0 }]).collect();
    let mut list = DrawList::new(40.0, 20.0);
    let area = |y| Area { x: 10.0, y, w: 20.0, h: 6.0 };
    list.ops.push(DrawOp::ImageRow { area: area(2.0), rgba: Rc::clone(&rgba) });
    list.ops.push(DrawOp::ImageRow { area: area(12.0), rgba });
    let drawn = Drawn::new(&list, 1.0);
    for y in [2.0, 7.0, 12.0, 17.0] {
        assert_eq!(drawn.at(10.0, y), BLUE.rgb);
        assert_eq!(drawn.at(11.0, y), GROUND.rgb);
        assert_eq!(drawn.at(28.0, y), BLUE.rgb);
    }
    assert_eq!(drawn.at(10.0, 9.0), GROUND.rgb, "nothing between the rows");
}

/// Lines of a textured surface are seen, and its ground between them too.
#[wasm_bindgen_test]
fn textures_are_seen() {
    let fill = Fill { ground: BLUE, texture: Texture::Stripes, ink: GROUND };
    let mut list = DrawList::new(40.0, 40.0);
    list.ops.push(rect(0.0, 0.0, 40.0, 40.0, fill));
    let drawn = Drawn::new(&list, 2.0);
    let colours: Vec<_> = (0..24).map(|x| drawn.at(f64::from(x) / 2.0, 10.0)).collect();
    assert!(colours.contains(&BLUE.rgb), "{colours:?}");
    assert!(colours.iter().any(|rgb| rgb[0] > 200), "{colours:?}");
}

fn lane(pcpu: u16, run: RunLane) -> LaneTile {
    let never = || Belief::Spans(vec![]);
    LaneTile { pcpu, run, idler: never(), tickled: never(), marks: vec![], counts: vec![] }
}

/// A whole picture: each vCPU's colour is where it runs, as bars and as rows of colours.
#[wasm_bindgen_test]
fn a_known_tile_has_the_known_pixels() {
    let place = |core| PcpuShape { core, socket: 0, node: 0 };
    let vcpu = |domain| VcpuShape { domain, index: 0 };
    let shape = MachineShape { pcpus: vec![place(0), place(1)], vcpus: vec![vcpu(0), vcpu(1)] };
    let inks = Inks::new(&shape, Scheme::default(), Sizes::of(false));
    let sizes = Sizes::of(false);
    let room = Room { width: 440.0, height_max: 424.0, first: 0, sizes, doubled: false };
    let layout = Layout::new(&shape, room);
    let span = Span { from_ns: 0, to_ns: 1_000_000 };
    let segment = |start_ns, vcpu| Segment { start_ns, vcpu };
    let bars = vec![segment(0, 0), segment(400_000, IDLE), segment(600_000, 1)];
    let cell = |at| Cell { busy: 255, vcpu: if at < 244 { 1 } else { IDLE }, count: 1 };
    let lanes = vec![
        lane(0, RunLane::Segments(bars)),
        lane(1, RunLane::Cells((0..489).map(cell).collect())),
    ];
    let tile = Tile {
        run: RunId(1),
        span,
        shift: 11,
        first: 0,
        lanes,
        arrows: vec![],
        reached_ns: span.to_ns,
    };
    for dpr in [1.0, 2.0] {
        let list = paint(&Picture {
            inks: &inks,
            layout: &layout,
            span,
            tile: Some(&tile),
            cursor_ns: 500_000,
            selected: None,
            lit: &[],
            row: 0,
            range: None,
            dpr,
            differs: None,
            alike_until_ns: 0,
        });
        let drawn = Drawn::new(&list, dpr);
        let scale = layout.scale(span);
        let (p0, p1) = (layout.rows[0].bar.y + 4.0, layout.rows[1].bar.y + 4.0);
        let at = |time_ns, y| drawn.at(scale.x_of(time_ns), y);
        assert_eq!(at(100_000, p0), inks.fill(0).ground.rgb);
        assert_eq!(at(450_000, p0), inks.palette.idle.rgb);
        assert_eq!(at(900_000, p0), inks.fill(1).ground.rgb);
        assert_eq!(at(100_000, p1), inks.fill(1).ground.rgb);
        assert_eq!(at(900_000, p1), inks.palette.idle.rgb);
        assert_eq!(at(500_000, p0), inks.palette.hot.rgb, "the cursor");
        let name = (0..14)
            .map(|dx| drawn.at(layout.plot.x - 26.0 + f64::from(dx), layout.rows[1].bar.middle()));
        assert!(name.into_iter().any(|rgb| rgb != GROUND.rgb), "p1's name is written");
    }
}
